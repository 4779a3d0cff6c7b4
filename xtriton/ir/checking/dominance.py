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

    The blocks are in reverse postorder. Takes O(m log n) for n blocks and m edges. Source:
    Lengauer, Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), the
    simple version.
    """
    blocks, parents = _depth_first(region)
    number = {id(block): i for i, block in enumerate(blocks)}
    predecessors: list[list[int]] = [[] for _ in blocks]
    for i, block in enumerate(blocks):
        for successor in successors(block):
            predecessors[number[id(successor)]].append(i)
    dominators = _dominators_by_number(parents, predecessors)
    return {block: blocks[dominators[number[id(block)]]] for block in reverse_postorder(region)}


def _depth_first(region: Region) -> tuple[list[Block], list[int]]:
    """Return the reachable blocks in preorder, and the number of each block's parent."""
    entry = region.blocks.first
    blocks: list[Block] = []
    parents: list[int] = []
    seen: set[int] = set()
    pending = [] if entry is None else [(entry, 0)]
    while pending:
        block, parent = pending.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        pending += [(successor, len(blocks)) for successor in reversed(successors(block))]
        blocks.append(block)
        parents.append(parent)
    return blocks, parents


def _dominators_by_number(parents: list[int], predecessors: list[list[int]]) -> list[int]:
    """Return the immediate dominator of each vertex; vertices are numbered in preorder."""
    count = len(parents)
    semi, label = list(range(count)), list(range(count))
    forest = [-1] * count
    dominators = [0] * count
    buckets: list[list[int]] = [[] for _ in parents]

    def lowest(vertex: int) -> int:
        """Return the vertex with the lowest semidominator up to the root of its tree."""
        if forest[vertex] < 0:
            return vertex
        path: list[int] = []
        at = vertex
        while forest[forest[at]] >= 0:
            path.append(at)
            at = forest[at]
        for at in reversed(path):
            above = forest[at]
            if semi[label[above]] < semi[label[at]]:
                label[at] = label[above]
            forest[at] = forest[above]
        return label[vertex]

    for vertex in range(count - 1, 0, -1):
        semi[vertex] = min(semi[lowest(other)] for other in predecessors[vertex])
        buckets[semi[vertex]].append(vertex)
        parent = parents[vertex]
        forest[vertex] = parent
        for other in buckets[parent]:
            low = lowest(other)
            dominators[other] = low if semi[low] < semi[other] else parent
        buckets[parent].clear()
    for vertex in range(1, count):
        if dominators[vertex] != semi[vertex]:
            dominators[vertex] = dominators[dominators[vertex]]
    return dominators


def dominator_tree(region: Region) -> dict[Block, list[Block]]:
    """Return the children of each reachable block in the dominator tree."""
    children: dict[Block, list[Block]] = {}
    for block, parent in immediate_dominators(region).items():
        children.setdefault(block, [])
        if parent is not block:
            children.setdefault(parent, []).append(block)
    return children
