"""
Cache hints of loads and stores as Triton 3.9 writes them: one attribute for two.

Up to 3.8 an access has the attributes `cache` and `evict`, which the text writes as
`cacheModifier = ca evictionPolicy = evict_first`. 3.9 has `cachePolicy` instead, which may
also be an attribute of a backend's dialect. We keep `cache` and `evict`; `cachePolicy`
stays an attribute of its own only where the two cannot say the same.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i32
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import EnumValue, i32_attr
from xtriton.dialects.tt.enums import CacheModifier, EvictionPolicy
from xtriton.dialects.tt.types import LAST_VERSION_OF_BLOCK_POINTERS, note_release
from xtriton.errors import UserError
from xtriton.ir.syntax import I32Enum
from xtriton.ir.versions import Version, version_text

LAST_VERSION_WITHOUT_CACHE_POLICY: Version = (3, 8)

NO_CHECKS = DenseArrayBase.from_list(i32, [])
"""The `boundaryCheck` of an access that is none of a block pointer."""


@irdl_attr_definition
class CachePolicyAttr(ParametrizedAttribute):
    """
    A cache modifier and an eviction policy (since Triton 3.9).

    ```mlir
    #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>
    ```
    """

    name = "tt.cache_policy"

    cache_modifier: IntegerAttr
    eviction_policy: IntegerAttr

    def __init__(
        self,
        cache_modifier: CacheModifier | IntegerAttr = CacheModifier.none,
        eviction_policy: EvictionPolicy | IntegerAttr = EvictionPolicy.evict_normal,
    ):
        if isinstance(cache_modifier, CacheModifier):
            cache_modifier = i32_attr(cache_modifier)
        if isinstance(eviction_policy, EvictionPolicy):
            eviction_policy = i32_attr(eviction_policy)
        super().__init__(cache_modifier, eviction_policy)

    def verify(self) -> None:
        for attribute, enum in (
            (self.cache_modifier, CacheModifier),
            (self.eviction_policy, EvictionPolicy),
        ):
            if not EnumValue(enum).verifies(attribute):
                raise VerifyException(f"{attribute} is no value of {enum.__name__}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        note_release(parser, since=(3, 9))
        found: dict[str, IntegerAttr] = {}
        enums: dict[str, type[I32Enum]] = {
            "cache_modifier": CacheModifier,
            "eviction_policy": EvictionPolicy,
        }
        with parser.in_angle_brackets():
            for i in range(len(enums)):
                if i > 0:
                    parser.parse_punctuation(",")
                key = parser.parse_identifier()
                if key not in enums or key in found:
                    parser.raise_error("expected a parameter name in struct")
                parser.parse_punctuation("=")
                keyword = parser.parse_identifier()
                member = enums[key].from_keyword(keyword)
                if member is None:
                    parser.raise_error(f"'{keyword}' is no value of {key}")
                found[key] = i32_attr(member)
        return [found[key] for key in enums]

    def print_parameters(self, printer: Printer) -> None:
        cache = CacheModifier(self.cache_modifier.value.data).keyword
        evict = EvictionPolicy(self.eviction_policy.value.data).keyword
        with printer.in_angle_brackets():
            printer.print_string(f"cache_modifier = {cache}, eviction_policy = {evict}")


DEFAULT_CACHE_POLICY = CachePolicyAttr()


class CachePolicyOp(IRDLOperation):
    """An access with hints for the cache."""

    cache = prop_def(EnumValue(CacheModifier), default_value=i32_attr(CacheModifier.none))
    evict = prop_def(EnumValue(EvictionPolicy), default_value=i32_attr(EvictionPolicy.evict_normal))
    cachePolicy = opt_prop_def(AnyAttr())

    ENUMS: ClassVar = {"cache": CacheModifier, "evict": EvictionPolicy}

    @classmethod
    def decode_attributes(cls, attributes: dict[str, Attribute]) -> dict[str, Attribute]:
        """Return `attributes` with a `cachePolicy` of `tt` split into `cache` and `evict`."""
        policy = attributes.get("cachePolicy")
        if not isinstance(policy, CachePolicyAttr) or policy == DEFAULT_CACHE_POLICY:
            return attributes
        decoded = {k: v for k, v in attributes.items() if k != "cachePolicy"}
        decoded["cache"] = policy.cache_modifier
        decoded["evict"] = policy.eviction_policy
        return decoded

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """
        Return the attributes, cache hints as `version` writes them.

        Raise `UserError` for a backend's cache policy where `version` has none.
        """
        encoded = self.properties | self.attributes
        if version > LAST_VERSION_OF_BLOCK_POINTERS and encoded.get("boundaryCheck") == NO_CHECKS:
            del encoded["boundaryCheck"]
        policy = encoded.get("cachePolicy")
        if version <= LAST_VERSION_WITHOUT_CACHE_POLICY:
            if policy is not None and policy != DEFAULT_CACHE_POLICY:
                raise UserError(
                    f"'{self.name}' has the cache policy {policy}, which the syntax of Triton "
                    f"{version_text(version)} cannot say"
                )
            encoded.pop("cachePolicy", None)
            return encoded
        cache, evict = encoded.pop("cache"), encoded.pop("evict")
        if policy is None:
            merged = CachePolicyAttr(cache, evict)  # pyright: ignore[reportArgumentType]
            if merged != DEFAULT_CACHE_POLICY:
                encoded["cachePolicy"] = merged
        return encoded
