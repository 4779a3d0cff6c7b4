// Types of llvm within each other: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  llvm.func @types() {
    %0 = llvm.mlir.undef : !llvm.struct<(ptr, i32, array<4 x f32>)>
    %1 = llvm.mlir.undef : !llvm.array<2 x ptr<3>>
    %2 = llvm.mlir.undef : !llvm.array<2 x struct<(i32, f32)>>
    %3 = llvm.mlir.undef : !llvm.struct<"foo", (i32, ptr)>
    %4 = llvm.mlir.undef : !llvm.struct<(struct<(i32)>, vector<4xf32>)>
    %5 = llvm.mlir.undef : vector<4x!llvm.ptr>
    llvm.return
  }
}

// CHECK:module {
// CHECK-NEXT:  llvm.func @types() {
// CHECK-NEXT:    %0 = llvm.mlir.undef : !llvm.struct<(ptr, i32, array<4 x f32>)>
// CHECK-NEXT:    %1 = llvm.mlir.undef : !llvm.array<2 x ptr<3>>
// CHECK-NEXT:    %2 = llvm.mlir.undef : !llvm.array<2 x struct<(i32, f32)>>
// CHECK-NEXT:    %3 = llvm.mlir.undef : !llvm.struct<"foo", (i32, ptr)>
// CHECK-NEXT:    %4 = llvm.mlir.undef : !llvm.struct<(struct<(i32)>, vector<4xf32>)>
// CHECK-NEXT:    %5 = llvm.mlir.undef : vector<4x!llvm.ptr>
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "types", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:    %0 = "llvm.mlir.undef"() : () -> !llvm.struct<(ptr, i32, array<4 x f32>)>
// GENERIC-NEXT:    %1 = "llvm.mlir.undef"() : () -> !llvm.array<2 x ptr<3>>
// GENERIC-NEXT:    %2 = "llvm.mlir.undef"() : () -> !llvm.array<2 x struct<(i32, f32)>>
// GENERIC-NEXT:    %3 = "llvm.mlir.undef"() : () -> !llvm.struct<"foo", (i32, ptr)>
// GENERIC-NEXT:    %4 = "llvm.mlir.undef"() : () -> !llvm.struct<(struct<(i32)>, vector<4xf32>)>
// GENERIC-NEXT:    %5 = "llvm.mlir.undef"() : () -> vector<4x!llvm.ptr>
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
