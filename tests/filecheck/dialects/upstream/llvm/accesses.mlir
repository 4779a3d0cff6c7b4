// Flags of getelementptr, volatile and atomic accesses: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  llvm.func @k(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: i64) {
    %0 = llvm.getelementptr inbounds|nuw %arg0[0, 1] {a} : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(i32, f32)>
    %1 = llvm.getelementptr nusw %arg0[%arg1, 1, %arg1] : (!llvm.ptr<1>, i32, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x f32>>
    %2 = llvm.load %arg0 atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %3 = llvm.load %arg0 invariant {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.store %arg1, %arg0 atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    %4 = llvm.atomicrmw volatile add %arg0, %arg1 acq_rel {alignment = 4 : i64} : !llvm.ptr<1>, i32
    %5 = llvm.cmpxchg weak volatile %arg0, %arg1, %arg1 syncscope("agent") acq_rel monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
    llvm.return
  }
}

// CHECK:module {
// CHECK-NEXT:  llvm.func @k(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: i64) {
// CHECK-NEXT:    %0 = llvm.getelementptr inbounds|nuw %arg0[0, 1] {a} : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(i32, f32)>
// CHECK-NEXT:    %1 = llvm.getelementptr nusw %arg0[%arg1, 1, %arg1] : (!llvm.ptr<1>, i32, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x f32>>
// CHECK-NEXT:    %2 = llvm.load %arg0 atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT:    %3 = llvm.load %arg0 invariant {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT:    llvm.store %arg1, %arg0 atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK-NEXT:    %4 = llvm.atomicrmw volatile add %arg0, %arg1 acq_rel {alignment = 4 : i64} : !llvm.ptr<1>, i32
// CHECK-NEXT:    %5 = llvm.cmpxchg weak volatile %arg0, %arg1, %arg1 syncscope("agent") acq_rel monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr<1>, i32, f32, i64)>, linkage = #llvm.linkage<external>, sym_name = "k", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: i64):
// GENERIC-NEXT:    %0 = "llvm.getelementptr"(%arg0) <{elem_type = !llvm.struct<(i32, f32)>, noWrapFlags = 7 : i32, rawConstantIndices = array<i32: 0, 1>}> {a} : (!llvm.ptr<1>) -> !llvm.ptr<1>
// GENERIC-NEXT:    %1 = "llvm.getelementptr"(%arg0, %arg1, %arg1) <{elem_type = !llvm.array<4 x array<4 x f32>>, noWrapFlags = 2 : i32, rawConstantIndices = array<i32: -2147483648, 1, -2147483648>}> : (!llvm.ptr<1>, i32, i32) -> !llvm.ptr<1>
// GENERIC-NEXT:    %2 = "llvm.load"(%arg0) <{alignment = 4 : i64, ordering = 2 : i64, syncscope = "agent"}> : (!llvm.ptr<1>) -> i32
// GENERIC-NEXT:    %3 = "llvm.load"(%arg0) <{alignment = 4 : i64, invariant, ordering = 0 : i64}> : (!llvm.ptr<1>) -> i32
// GENERIC-NEXT:    "llvm.store"(%arg1, %arg0) <{alignment = 4 : i64, ordering = 5 : i64}> : (i32, !llvm.ptr<1>) -> ()
// GENERIC-NEXT:    %4 = "llvm.atomicrmw"(%arg0, %arg1) <{alignment = 4 : i64, bin_op = 1 : i64, ordering = 6 : i64, volatile_}> : (!llvm.ptr<1>, i32) -> i32
// GENERIC-NEXT:    %5 = "llvm.cmpxchg"(%arg0, %arg1, %arg1) <{alignment = 4 : i64, failure_ordering = 2 : i64, success_ordering = 6 : i64, syncscope = "agent", volatile_, weak}> : (!llvm.ptr<1>, i32, i32) -> !llvm.struct<(i32, i1)>
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
