// Every op of index: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
    %0 = index.add %arg6, %arg6
    %1 = index.sub %arg6, %arg6
    %2 = index.mul %arg6, %arg6
    %3 = index.divs %arg6, %arg6
    %4 = index.divu %arg6, %arg6
    %5 = index.ceildivs %arg6, %arg6
    %6 = index.ceildivu %arg6, %arg6
    %7 = index.floordivs %arg6, %arg6
    %8 = index.rems %arg6, %arg6
    %9 = index.remu %arg6, %arg6
    %10 = index.maxs %arg6, %arg6
    %11 = index.maxu %arg6, %arg6
    %12 = index.mins %arg6, %arg6
    %13 = index.minu %arg6, %arg6
    %14 = index.and %arg6, %arg6
    %15 = index.or %arg6, %arg6
    %16 = index.xor %arg6, %arg6
    %17 = index.shl %arg6, %arg6
    %18 = index.shrs %arg6, %arg6
    %19 = index.shru %arg6, %arg6
    %20 = index.add %arg6, %arg6 {a}
    %21 = index.cmp eq(%arg6, %arg6)
    %22 = index.cmp ne(%arg6, %arg6)
    %23 = index.cmp slt(%arg6, %arg6)
    %24 = index.cmp sle(%arg6, %arg6)
    %25 = index.cmp sgt(%arg6, %arg6)
    %26 = index.cmp sge(%arg6, %arg6)
    %27 = index.cmp ult(%arg6, %arg6)
    %28 = index.cmp ule(%arg6, %arg6)
    %29 = index.cmp ugt(%arg6, %arg6)
    %30 = index.cmp uge(%arg6, %arg6)
    %31 = index.cmp slt(%arg6, %arg6) {a}
    %idx4 = index.constant 4
    %idx-4 = index.constant {a} -4
    %true = index.bool.constant true
    %false = index.bool.constant false
    %32 = index.castu %arg1 : i32 to index
    %33 = index.casts %arg6 {a} : index to i32
    %34 = index.sizeof
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
// CHECK-NEXT:    %0 = index.add %arg6, %arg6
// CHECK-NEXT:    %1 = index.sub %arg6, %arg6
// CHECK-NEXT:    %2 = index.mul %arg6, %arg6
// CHECK-NEXT:    %3 = index.divs %arg6, %arg6
// CHECK-NEXT:    %4 = index.divu %arg6, %arg6
// CHECK-NEXT:    %5 = index.ceildivs %arg6, %arg6
// CHECK-NEXT:    %6 = index.ceildivu %arg6, %arg6
// CHECK-NEXT:    %7 = index.floordivs %arg6, %arg6
// CHECK-NEXT:    %8 = index.rems %arg6, %arg6
// CHECK-NEXT:    %9 = index.remu %arg6, %arg6
// CHECK-NEXT:    %10 = index.maxs %arg6, %arg6
// CHECK-NEXT:    %11 = index.maxu %arg6, %arg6
// CHECK-NEXT:    %12 = index.mins %arg6, %arg6
// CHECK-NEXT:    %13 = index.minu %arg6, %arg6
// CHECK-NEXT:    %14 = index.and %arg6, %arg6
// CHECK-NEXT:    %15 = index.or %arg6, %arg6
// CHECK-NEXT:    %16 = index.xor %arg6, %arg6
// CHECK-NEXT:    %17 = index.shl %arg6, %arg6
// CHECK-NEXT:    %18 = index.shrs %arg6, %arg6
// CHECK-NEXT:    %19 = index.shru %arg6, %arg6
// CHECK-NEXT:    %20 = index.add %arg6, %arg6 {a}
// CHECK-NEXT:    %21 = index.cmp eq(%arg6, %arg6)
// CHECK-NEXT:    %22 = index.cmp ne(%arg6, %arg6)
// CHECK-NEXT:    %23 = index.cmp slt(%arg6, %arg6)
// CHECK-NEXT:    %24 = index.cmp sle(%arg6, %arg6)
// CHECK-NEXT:    %25 = index.cmp sgt(%arg6, %arg6)
// CHECK-NEXT:    %26 = index.cmp sge(%arg6, %arg6)
// CHECK-NEXT:    %27 = index.cmp ult(%arg6, %arg6)
// CHECK-NEXT:    %28 = index.cmp ule(%arg6, %arg6)
// CHECK-NEXT:    %29 = index.cmp ugt(%arg6, %arg6)
// CHECK-NEXT:    %30 = index.cmp uge(%arg6, %arg6)
// CHECK-NEXT:    %31 = index.cmp slt(%arg6, %arg6) {a}
// CHECK-NEXT:    %idx4 = index.constant 4
// CHECK-NEXT:    %idx-4 = index.constant {a} -4
// CHECK-NEXT:    %true = index.bool.constant true
// CHECK-NEXT:    %false = index.bool.constant false
// CHECK-NEXT:    %32 = index.castu %arg1 : i32 to index
// CHECK-NEXT:    %33 = index.casts %arg6 {a} : index to i32
// CHECK-NEXT:    %34 = index.sizeof
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr<1>, i32, f32, vector<4xf32>, i1, i64, index) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index):
// GENERIC-NEXT:    %0 = "index.add"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %1 = "index.sub"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %2 = "index.mul"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %3 = "index.divs"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %4 = "index.divu"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %5 = "index.ceildivs"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %6 = "index.ceildivu"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %7 = "index.floordivs"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %8 = "index.rems"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %9 = "index.remu"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %10 = "index.maxs"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %11 = "index.maxu"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %12 = "index.mins"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %13 = "index.minu"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %14 = "index.and"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %15 = "index.or"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %16 = "index.xor"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %17 = "index.shl"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %18 = "index.shrs"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %19 = "index.shru"(%arg6, %arg6) : (index, index) -> index
// GENERIC-NEXT:    %20 = "index.add"(%arg6, %arg6) {a} : (index, index) -> index
// GENERIC-NEXT:    %21 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate eq>}> : (index, index) -> i1
// GENERIC-NEXT:    %22 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate ne>}> : (index, index) -> i1
// GENERIC-NEXT:    %23 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate slt>}> : (index, index) -> i1
// GENERIC-NEXT:    %24 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate sle>}> : (index, index) -> i1
// GENERIC-NEXT:    %25 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate sgt>}> : (index, index) -> i1
// GENERIC-NEXT:    %26 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate sge>}> : (index, index) -> i1
// GENERIC-NEXT:    %27 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate ult>}> : (index, index) -> i1
// GENERIC-NEXT:    %28 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate ule>}> : (index, index) -> i1
// GENERIC-NEXT:    %29 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate ugt>}> : (index, index) -> i1
// GENERIC-NEXT:    %30 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate uge>}> : (index, index) -> i1
// GENERIC-NEXT:    %31 = "index.cmp"(%arg6, %arg6) <{pred = #index<cmp_predicate slt>}> {a} : (index, index) -> i1
// GENERIC-NEXT:    %32 = "index.constant"() <{value = 4 : index}> : () -> index
// GENERIC-NEXT:    %33 = "index.constant"() <{value = -4 : index}> {a} : () -> index
// GENERIC-NEXT:    %34 = "index.bool.constant"() <{value = true}> : () -> i1
// GENERIC-NEXT:    %35 = "index.bool.constant"() <{value = false}> : () -> i1
// GENERIC-NEXT:    %36 = "index.castu"(%arg1) : (i32) -> index
// GENERIC-NEXT:    %37 = "index.casts"(%arg6) {a} : (index) -> i32
// GENERIC-NEXT:    %38 = "index.sizeof"() : () -> index
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
