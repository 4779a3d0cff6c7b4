"""Members are what an `Enum` would have: one of each, by name, also as copies."""

import copy
import pickle

import pytest

from xtriton.analysis.indexing import Kind
from xtriton.analysis.values import Sort


def test_members_have_names_and_are_equal_to_themselves_only():
    assert Kind.MIN.name == "MIN"
    assert repr(Sort.POINTER) == "Sort.POINTER"
    assert len({Kind.MIN, Kind.MAX, Kind.MIN}) == 2
    assert isinstance(Kind.MIN, Kind)


def test_a_copy_is_the_member_itself():
    assert pickle.loads(pickle.dumps(Kind.SELECT)) is Kind.SELECT
    assert copy.deepcopy([Sort.INTEGER])[0] is Sort.INTEGER


def test_there_are_no_other_members():
    with pytest.raises(TypeError, match="no other members"):
        Kind()  # pyright: ignore[reportCallIssue]
