from xtriton.tools.chunks import split


def test_characters_keep_their_place():
    text = "a\nb\n// -----\nc\nd // ----- e\n"
    parts = split(text)
    assert [part.strip() for part in parts] == ["a\nb", "c\nd", "e"]
    lines = text.split("\n")
    for part in parts:
        for number, line in enumerate(part.split("\n")):
            for column, character in enumerate(line):
                assert character in (" ", lines[number][column])


def test_own_marker():
    assert [p.strip() for p in split("a\n----\nb", "----")] == ["a", "b"]


def test_header_of_an_ir_dump_becomes_a_comment():
    parts = split("// -----// IR Dump After X (x) //----- //\nmodule {}")
    assert parts[0] == ""
    assert parts[1].strip().startswith("// IR Dump")
