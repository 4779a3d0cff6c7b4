// RUN: not xtriton-opt %s --canonicalise 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not xtriton-opt %s --split-imput-file 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not xtriton-opt %s --canonicalize=max-iteration=1 2>&1 | filecheck %s --check-prefix=PASSOPTION
// RUN: not xtriton-opt %s --pass-pipeline='builtin.module(cse,csee)' 2>&1 | filecheck %s --check-prefix=PIPELINE
// RUN: not xtriton-opt %s --pass-pipeline='cse' --cse 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: not xtriton-opt %s --triton-version=2.0 2>&1 | filecheck %s --check-prefix=VERSION
// RUN: not xtriton-opt %S/no-such-file.mlir 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not xtriton-opt < /dev/null 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: xtriton-opt --help | filecheck %s --check-prefix=HELP
// RUN: xtriton-opt --show-dialects | filecheck %s --check-prefix=DIALECTS

// PASS:       {{^}}error: unknown pass or option '--canonicalise'; did you mean 'canonicalize'?{{$}}
// OPTION:     {{^}}error: unknown pass or option '--split-imput-file'; did you mean 'split-input-file'?{{$}}
// PASSOPTION: {{^}}error: pass 'canonicalize' has no option 'max-iteration'; did you mean 'max-iterations'?
// PIPELINE:   <pass-pipeline>:1:20: error: unknown pass 'csee'; did you mean 'cse'?
// PIPELINE-NEXT: builtin.module(cse,csee)
// PIPELINE-NEXT: {{^}}                   ^
// BOTH:       error: --pass-pipeline cannot be combined with passes as options
// VERSION:    error: unknown Triton version '2.0'
// FILE:       error: cannot read '{{.*}}no-such-file.mlir': No such file or directory
// EMPTY:      <stdin>:1:1: error: expected an operation, the input is empty
// HELP:       usage: xtriton-opt
// DIALECTS:   {{^}}arith
module {}
