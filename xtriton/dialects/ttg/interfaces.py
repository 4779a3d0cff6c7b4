"""
What kinds of encodings there are.

Upstream: `LayoutEncodingTrait`, `DistributedEncodingTrait`, `SharedEncodingTrait`,
`MmaEncodingTrait` of `TritonGPUAttrInterfaces.td`. Other dialects (`ttig`, `ttng`, `gluon`)
have encodings of these kinds too.
"""

from abc import ABC, abstractmethod

from xdsl.ir import Attribute


class LayoutEncoding(Attribute, ABC):
    """Where the elements of a tensor or of a memory descriptor live."""

    @property
    @abstractmethod
    def rank(self) -> int:
        """How many dimensions a tensor of this layout has."""


class DistributedEncoding(LayoutEncoding, ABC):
    """Elements live in registers of the threads of a CTA."""


class MmaEncoding(DistributedEncoding, ABC):
    """What a matrix instruction leaves in registers."""


class SharedEncoding(LayoutEncoding, ABC):
    """Elements live in shared memory."""
