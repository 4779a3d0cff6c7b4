"""
What a pipeline does to a whole collection of kernels.

`sources` finds kernels, `jobs` measures one of them with one pipeline, `keeper` does that in a
process whose death costs this kernel only, `run` walks over all of them with any executor of
`concurrent.futures`' interface, `store` keeps what is done so that a run can go on, `tables`
writes it down, `compare` and `page` say what it means, `collect` and `reduce` make kernels:
those that a program compiles, and small ones that show a finding.
"""
