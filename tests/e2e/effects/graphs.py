"""What an AOT graph has to hold: of each launch the tensors to clone, that is those written."""

EXPECTED: dict[str, list[list[str]]] = {
    "ping_pong": [["a", "b"]],
    "chosen_before_return": [["a", "b"]],
    "descriptor_adds": [["out"]],
    "descriptor_scatters": [["out"]],
    "table": [["tab"]],
}
