// Ops of nvvm: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: memref<?x?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4x8xf32>, %arg10: vector<4xi32>, %arg11: tensor<4x4xf32>) {
    %0 = nvvm.read.ptx.sreg.tid.x : i32
    %1 = nvvm.read.ptx.sreg.nctaid.z {a} : i32
    %2 = nvvm.read.ptx.sreg.laneid : i32
    %3 = nvvm.read.ptx.sreg.cluster.ctarank : i32
    nvvm.barrier0
    nvvm.barrier id = %arg1 number_of_threads = %arg1
    nvvm.barrier
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait
    nvvm.fence.mbarrier.init
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 2
    nvvm.bar.warp.sync %arg1 : i32
    %4 = nvvm.shfl.sync  bfly %arg1, %arg2, %arg1, %arg1 : f32 -> f32
    %5 = nvvm.elect.sync -> i1
    %6 = nvvm.rcp.approx.ftz.f %arg2 : f32
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: memref<?x?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4x8xf32>, %arg10: vector<4xi32>, %arg11: tensor<4x4xf32>) {
// CHECK-NEXT:    %0 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:    %1 = nvvm.read.ptx.sreg.nctaid.z {a} : i32
// CHECK-NEXT:    %2 = nvvm.read.ptx.sreg.laneid : i32
// CHECK-NEXT:    %3 = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    nvvm.barrier id = %arg1 number_of_threads = %arg1
// CHECK-NEXT:    nvvm.barrier
// CHECK-NEXT:    nvvm.cluster.arrive {aligned}
// CHECK-NEXT:    nvvm.cluster.wait
// CHECK-NEXT:    nvvm.fence.mbarrier.init
// CHECK-NEXT:    nvvm.cp.async.commit.group
// CHECK-NEXT:    nvvm.cp.async.wait.group 2
// CHECK-NEXT:    nvvm.bar.warp.sync %arg1 : i32
// CHECK-NEXT:    %4 = nvvm.shfl.sync  bfly %arg1, %arg2, %arg1, %arg1 : f32 -> f32
// CHECK-NEXT:    %5 = nvvm.elect.sync -> i1
// CHECK-NEXT:    %6 = nvvm.rcp.approx.ftz.f %arg2 : f32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr<1>, i32, f32, vector<4xf32>, i1, i64, memref<?x?xf32>, index, vector<4xi1>, vector<4x8xf32>, vector<4xi32>, tensor<4x4xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: memref<?x?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4x8xf32>, %arg10: vector<4xi32>, %arg11: tensor<4x4xf32>):
// GENERIC-NEXT:    %0 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
// GENERIC-NEXT:    %1 = "nvvm.read.ptx.sreg.nctaid.z"() {a} : () -> i32
// GENERIC-NEXT:    %2 = "nvvm.read.ptx.sreg.laneid"() : () -> i32
// GENERIC-NEXT:    %3 = "nvvm.read.ptx.sreg.cluster.ctarank"() : () -> i32
// GENERIC-NEXT:    "nvvm.barrier0"() : () -> ()
// GENERIC-NEXT:    "nvvm.barrier"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()
// GENERIC-NEXT:    "nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
// GENERIC-NEXT:    "nvvm.cluster.arrive"() <{aligned}> : () -> ()
// GENERIC-NEXT:    "nvvm.cluster.wait"() : () -> ()
// GENERIC-NEXT:    "nvvm.fence.mbarrier.init"() : () -> ()
// GENERIC-NEXT:    "nvvm.cp.async.commit.group"() : () -> ()
// GENERIC-NEXT:    "nvvm.cp.async.wait.group"() <{n = 2 : i32}> : () -> ()
// GENERIC-NEXT:    "nvvm.bar.warp.sync"(%arg1) : (i32) -> ()
// GENERIC-NEXT:    %4 = "nvvm.shfl.sync"(%arg1, %arg2, %arg1, %arg1) <{kind = #nvvm<shfl_kind bfly>}> : (i32, f32, i32, i32) -> f32
// GENERIC-NEXT:    %5 = "nvvm.elect.sync"() : () -> i1
// GENERIC-NEXT:    %6 = "nvvm.rcp.approx.ftz.f"(%arg2) : (f32) -> f32
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
