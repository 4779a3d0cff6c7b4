"""Where in a block the mask of an access lets anything through."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.accesses import Access
from xtriton.analysis.indexing import Cond
from xtriton.analysis.masks import Bounds, MaskRegion
from xtriton.analysis.memory_ops import mask_of
from xtriton.records import record
from xtriton.transforms.raising.transcripts.masks import MaskTranscript
from xtriton.transforms.raising.transcripts.pointers import Transcript
from xtriton.transforms.raising.writing.emitter import ExprEmitter

Entry = int | SSAValue


@record
class MaskBounds:
    """The part of a block that an access may touch; empty lists for all of it."""

    starts: tuple[Entry, ...]
    ends: tuple[Entry, ...]


class Windows:
    """Makes the windows of the accesses of one function."""

    def __init__(self, emitter: ExprEmitter, transcript: Transcript):
        self.emitter = emitter
        self.space = emitter.space
        self.transcript = transcript

    def window(self, access: Access, region: MaskRegion, sizes: Sequence[int]) -> MaskBounds:
        """Return the window of an access, of the lanes in `region`; an empty one for all of it."""
        if region.is_everything and (mask_of(access.op) is None or region is not access.region):
            return MaskBounds((), ())
        window = self.bounded(access, region, sizes)
        if region.is_everything and window.ends != tuple(sizes):
            return MaskBounds((), ())
        return window

    def row(self, region: MaskRegion, sizes: Sequence[int], anchor: Operation) -> MaskBounds:
        """Return the window of a region that has a lane, made before `anchor`."""
        bounds = region.bounds(self.space, sizes)
        return MaskBounds(
            tuple(self.emitter.mixed(start, anchor) for start, _ in bounds),
            tuple(self.emitter.mixed(end, anchor) for _, end in bounds),
        )

    def bounded(self, access: Access, region: MaskRegion, sizes: Sequence[int]) -> MaskBounds:
        """Return where in the block the mask lets anything through."""
        mask = mask_of(access.op)
        with self.space.assuming(access.facts_around):
            if region is access.region and region.is_prefix and mask is not None:
                extents = MaskTranscript(self.transcript, access.op).extents(mask, region)
                if extents is not None:
                    return MaskBounds((0,) * len(extents), tuple(extents))
            bounds = region.bounds(self.space, sizes)
            starts = self.starts(access, bounds, sizes)
            ends = self.ends(access, bounds, starts, region.guards)
        return MaskBounds(tuple(starts), tuple(ends))

    def ends(
        self, access: Access, bounds: Bounds, starts: Sequence[Entry], guards: Sequence[Cond]
    ) -> list[Entry]:
        """
        Return the position after the last that the mask lets through, by dimension.

        Where the window begins at 0 this is its extent, which is not negative.
        """
        space = self.space
        found: list[Entry] = []
        guard = space.conjunction(guards)
        for d, ((_, end), start) in enumerate(zip(bounds, starts, strict=True)):
            if start == 0:
                end = space.maximum(end, space.zero)
            if d == 0:
                end = space.select(guard, end, space.zero)
            found.append(self.emitter.mixed(end, access.op))
        return found

    def starts(self, access: Access, bounds: Bounds, sizes: Sequence[int]) -> list[Entry]:
        """Return the first position that the mask lets through, by dimension."""
        space = self.space
        pairs = zip(bounds, sizes, strict=True)
        starts = [space.minimum(start, space.const(size)) for (start, _), size in pairs]
        return [self.emitter.mixed(start, access.op) for start in starts]
