"""
Folds and patterns that make ops canonical.

Ops of our own dialects name theirs by the traits `HasFolder` and
`HasCanonicalizationPatternsTrait`; those of upstream dialects stand in the tables of the
module here that has the dialect's name: `FOLDS` by op name and `PATTERNS`. xDSL's own
patterns are not used: they are made for scalars and lose locations.
"""
