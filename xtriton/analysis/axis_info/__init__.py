"""
Axis information: along each dimension of a tensor, how its elements relate to each other.

For each integer or pointer, scalars being tensors of one element:

- contiguity: the elements come in runs of so many, each one more than the one before (in
  elements, for pointers);
- divisibility: the first element of each run is divisible by it (in bytes, for pointers), a
  power of two;
- constancy: the elements come in runs of so many equal ones;
- the value, where it is one and known.

A forward dataflow analysis, optimistic about loops; facts about arguments and ops come as
`tt.contiguity`, `tt.divisibility` and `tt.constancy`. From the bottom to the top: `lattice`
has the information and what joins it, `dataflow` carries it through a module, `rules` says
what each op does to it, `intel` says so for the Intel backend, which has rules of its own,
and `backends` chooses between the two.
Source: `AxisInfo` in Triton's `lib/Analysis/AxisInfo.cpp`.
"""
