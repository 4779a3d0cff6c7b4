import pytest

from xtriton.errors import UserError
from xtriton.passes.pipeline import (
    Nested,
    OptionTexts,
    PassSpec,
    parse_options,
    parse_pipeline,
    pipeline_text,
)


def test_plain_list():
    assert parse_pipeline("cse, canonicalize") == (PassSpec("cse"), PassSpec("canonicalize"))


def test_module_anchor_is_dropped():
    assert parse_pipeline("builtin.module(any(cse))") == (PassSpec("cse"),)


def test_nested_pipeline():
    assert parse_pipeline("builtin.module(a,tt.func(b,c{x=1}))") == (
        PassSpec("a"),
        Nested("tt.func", (PassSpec("b"), PassSpec("c", (("x", "1"),)))),
    )


def test_empty_pipelines():
    assert parse_pipeline("") == ()
    assert parse_pipeline("builtin.module()") == ()


@pytest.mark.parametrize(
    "text, options",
    [
        ("", ()),
        ("a=1", (("a", "1"),)),
        ("a=1 b", (("a", "1"), ("b", None))),
        ("a=1 b a=2", (("a", "1"), ("b", None), ("a", "2"))),
        ("target=cuda:90 num-warps=4", (("target", "cuda:90"), ("num-warps", "4"))),
        ("sizes=1,2,3 name='a b'", (("sizes", "1,2,3"), ("name", "a b"))),
        ('name="a=b c" x=2', (("name", "a=b c"), ("x", "2"))),
        ("inner={a=1 b={c=2}} x", (("inner", "a=1 b={c=2}"), ("x", None))),
        ("fn=f(a b) y=1", (("fn", "f(a b)"), ("y", "1"))),
    ],
)
def test_options(text: str, options: OptionTexts):
    assert parse_options(text) == options


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("a,,b", 3, "expected the name of a pass"),
        ("builtin.module(a", 17, "expected ')'"),
        ("a{x=1", 6, "expected '}'"),
        ("a)", 2, "unexpected ')'"),
        ("a{x='1}", 5, "unclosed quote"),
        ("a{x={1}", 5, "expected '}'"),
    ],
)
def test_malformed(text: str, column: int, message: str):
    with pytest.raises(UserError) as caught:
        parse_pipeline(text)
    if message.startswith("expected '}'") and "{1}" in text:
        column = len(text) + 1
    assert caught.value.message == message
    assert caught.value.position is not None
    assert caught.value.position.column == column


@pytest.mark.parametrize(
    "text",
    [
        "builtin.module()",
        "builtin.module(a,b{x=1 y=2,3})",
        "builtin.module(a{flag x=1 x=2})",
        'builtin.module(tt.func(a{n="x y"}),b)',
        "builtin.module(a{n='x\"y'})",
    ],
)
def test_text_is_a_fixed_point(text: str):
    assert pipeline_text(parse_pipeline(text)) == text
