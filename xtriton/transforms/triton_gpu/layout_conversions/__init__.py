"""
Removing layout conversions: propagation, rematerialisation, hoisting.

Source: Triton's `RemoveLayoutConversions.cpp` and the Intel backend's variant of it.
"""
