"""Fixtures of the dialects' tests: what the verifiers refuse and accept."""

from collections.abc import Callable

import pytest

from xtriton.errors import ParseFailure, VerifyFailure
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import NEWEST, Version, rules_of
from xtriton.universe import context

Refuse = Callable[..., None]
Accept = Callable[..., None]


@pytest.fixture
def refuse() -> Refuse:
    """Check that a text is refused by the rules of a release, with a message."""

    def check(text: str, message: str, version: Version = NEWEST) -> None:
        with rules_of(version), pytest.raises((ParseFailure, VerifyFailure)) as raised:
            verify(parse_module(text, context()))
        assert message in raised.value.message

    return check


@pytest.fixture
def accept() -> Accept:
    """Check that a text is sound by the rules of a release."""

    def check(text: str, version: Version = NEWEST) -> None:
        with rules_of(version):
            verify(parse_module(text, context()))

    return check
