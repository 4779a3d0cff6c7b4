"""Dominators, against their definition."""

import random
import time

from xdsl.context import Context
from xdsl.ir import Block, Region

from xtriton.ir.checking.dominance import dominator_tree, immediate_dominators, reverse_postorder

Jump = Context(allow_unregistered=True).get_op("t.jump")


def graph(edges: list[list[int]]) -> tuple[Region, list[Block]]:
    blocks = [Block() for _ in edges]
    for block, targets in zip(blocks, edges, strict=True):
        block.add_op(Jump.create(successors=[blocks[target] for target in targets]))
    return Region(blocks), blocks


def reachable(edges: list[list[int]], without: int) -> set[int]:
    seen: set[int] = set()
    pending = [0]
    while pending:
        at = pending.pop()
        if at not in seen and at != without:
            seen.add(at)
            pending += edges[at]
    return seen


def test_a_dominator_is_on_every_way() -> None:
    chance = random.Random(11)
    for _ in range(200):
        size = chance.randint(1, 9)
        edges = [[chance.randrange(size) for _ in range(chance.randint(0, 3))] for _ in range(size)]
        region, blocks = graph(edges)
        found = immediate_dominators(region)
        all_reachable = reachable(edges, -1)
        assert {blocks.index(block) for block in found} == all_reachable
        for at in all_reachable - {0}:
            strict = {n for n in all_reachable - {at} if at not in reachable(edges, n)}
            closest = [
                n for n in strict if all(m == n or n not in reachable(edges, m) for m in strict)
            ]
            assert [blocks.index(found[blocks[at]])] == closest


def test_tree_and_order() -> None:
    region, (a, b, c, d, e) = graph([[1, 2], [3], [3], [], [3]])
    tree = dominator_tree(region)
    assert {block: set(children) for block, children in tree.items()} == {
        a: {b, c, d},
        b: set(),
        c: set(),
        d: set(),
    }
    order = reverse_postorder(region)
    assert order[0] is a
    assert order[-1] is d
    assert e not in order


def test_many_ways_to_one_block_take_no_longer() -> None:
    size = 20_000
    edges = [[i + 1, size - 1] for i in range(size - 2)] + [[size - 1], []]
    region, blocks = graph(edges)
    start = time.process_time()
    found = immediate_dominators(region)
    assert time.process_time() - start < 5
    assert found[blocks[-1]] is blocks[0]
    assert found[blocks[-2]] is blocks[-3]
