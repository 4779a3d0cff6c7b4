"""Dominators of the blocks of a region."""

from __future__ import annotations

from xdsl.ir import Block, Region


def reverse_postorder(region: Region) -> list[Block]:
    """Return the blocks that control flow can reach, each before those it alone leads to."""
    entry = region.blocks.first
    if entry is None:
        return []
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors(successor))))
                break
        else:
            stack.pop()
            order.append(block)
    order.reverse()
    return order


def successors(block: Block) -> list[Block]:
    """Return the blocks that the terminator of `block` can branch to."""
    last = block.last_op
    return [] if last is None else list(last.successors)


def immediate_dominators(region: Region) -> dict[Block, Block]:
    """
    Return the immediate dominator of each reachable block; the entry is its own.

    Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    """
    order = reverse_postorder(region)
    number = {block: i for i, block in enumerate(order)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in successors(block):
            predecessors[successor].append(block)
    dominators = {order[0]: order[0]} if order else {}

    def intersect(a: Block, b: Block) -> Block:
        while a is not b:
            while number[a] > number[b]:
                a = dominators[a]
            while number[b] > number[a]:
                b = dominators[b]
        return a

    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [p for p in predecessors[block] if p in dominators]
            found = known[0]
            for other in known[1:]:
                found = intersect(found, other)
            if dominators.get(block) is not found:
                dominators[block] = found
                changed = True
    return dominators


def dominator_tree(region: Region) -> dict[Block, list[Block]]:
    """Return the children of each reachable block in the dominator tree."""
    children: dict[Block, list[Block]] = {}
    for block, parent in immediate_dominators(region).items():
        children.setdefault(block, [])
        if parent is not block:
            children.setdefault(parent, []).append(block)
    return children
