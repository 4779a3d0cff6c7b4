// RUN: xtriton-opt %s -cse | filecheck %s --check-prefix=ALL
// RUN: xtriton-opt --cse -o %t %s && cat %t | filecheck %s --check-prefix=ALL
// RUN: cat %s | xtriton-opt --pass-pipeline="builtin.module(tt.func(cse))" | filecheck %s --check-prefix=TT
// RUN: xtriton-opt %s --pass-pipeline="builtin.module(tt.func(cse),func.func(canonicalize{max-iterations=2}))" --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=DUMP

// ALL-LABEL: @one
// ALL-COUNT-1: arith.addi
// ALL-NOT:   arith.addi
// ALL-LABEL: @two
// ALL-COUNT-1: arith.addi
// ALL-NOT:   arith.addi
// TT-LABEL:  @one
// TT-COUNT-2: arith.addi
// TT-LABEL:  @two
// TT-COUNT-1: arith.addi
// TT-NOT:    arith.addi
// DUMP:      Pass Manager with 2 passes:
// DUMP-NEXT: {{^}}builtin.module({{$}}
// DUMP-NEXT: {{^}}  tt.func({{$}}
// DUMP-NEXT: {{^}}    cse{{$}}
// DUMP-NEXT: {{^}}  ),{{$}}
// DUMP-NEXT: {{^}}  func.func({{$}}
// DUMP-NEXT: {{^}}    canonicalize{max-iterations=2}{{$}}
// DUMP-NEXT: {{^}}  ){{$}}
// DUMP-NEXT: {{^}}){{$}}
func.func @one(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
tt.func @two(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  tt.return %0, %1 : i32, i32
}
