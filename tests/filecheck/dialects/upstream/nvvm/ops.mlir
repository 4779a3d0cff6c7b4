// Ops of nvvm: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
    nvvm.barrier0
    nvvm.barrier id = %arg1 number_of_threads = %arg1
    nvvm.barrier
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait
    nvvm.fence.mbarrier.init
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 2
    nvvm.bar.warp.sync %arg1 : i32
    %0 = nvvm.shfl.sync  bfly %arg1, %arg2, %arg1, %arg1 : f32 -> f32
    %1 = nvvm.elect.sync -> i1
    %2 = nvvm.rcp.approx.ftz.f %arg2 : f32
    nvvm.fence.sc.cluster
    nvvm.cluster.arrive.relaxed {aligned}
    %3 = nvvm.read.ptx.sreg.tid.x {a} : i32
    %4 = nvvm.read.ptx.sreg.tid.x : i32
    %5 = nvvm.read.ptx.sreg.tid.y : i32
    %6 = nvvm.read.ptx.sreg.tid.z : i32
    %7 = nvvm.read.ptx.sreg.ntid.x : i32
    %8 = nvvm.read.ptx.sreg.ntid.y : i32
    %9 = nvvm.read.ptx.sreg.ntid.z : i32
    %10 = nvvm.read.ptx.sreg.ctaid.x : i32
    %11 = nvvm.read.ptx.sreg.ctaid.y : i32
    %12 = nvvm.read.ptx.sreg.ctaid.z : i32
    %13 = nvvm.read.ptx.sreg.nctaid.x : i32
    %14 = nvvm.read.ptx.sreg.nctaid.y : i32
    %15 = nvvm.read.ptx.sreg.nctaid.z : i32
    %16 = nvvm.read.ptx.sreg.clusterid.x : i32
    %17 = nvvm.read.ptx.sreg.clusterid.y : i32
    %18 = nvvm.read.ptx.sreg.clusterid.z : i32
    %19 = nvvm.read.ptx.sreg.nclusterid.x : i32
    %20 = nvvm.read.ptx.sreg.nclusterid.y : i32
    %21 = nvvm.read.ptx.sreg.nclusterid.z : i32
    %22 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    %23 = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    %24 = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
    %25 = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %26 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    %27 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    %28 = nvvm.read.ptx.sreg.laneid : i32
    %29 = nvvm.read.ptx.sreg.warpid : i32
    %30 = nvvm.read.ptx.sreg.warpsize : i32
    %31 = nvvm.read.ptx.sreg.smid : i32
    %32 = nvvm.read.ptx.sreg.cluster.ctarank : i32
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    nvvm.barrier id = %arg1 number_of_threads = %arg1
// CHECK-NEXT:    nvvm.barrier
// CHECK-NEXT:    nvvm.cluster.arrive {aligned}
// CHECK-NEXT:    nvvm.cluster.wait
// CHECK-NEXT:    nvvm.fence.mbarrier.init
// CHECK-NEXT:    nvvm.cp.async.commit.group
// CHECK-NEXT:    nvvm.cp.async.wait.group 2
// CHECK-NEXT:    nvvm.bar.warp.sync %arg1 : i32
// CHECK-NEXT:    %0 = nvvm.shfl.sync  bfly %arg1, %arg2, %arg1, %arg1 : f32 -> f32
// CHECK-NEXT:    %1 = nvvm.elect.sync -> i1
// CHECK-NEXT:    %2 = nvvm.rcp.approx.ftz.f %arg2 : f32
// CHECK-NEXT:    nvvm.fence.sc.cluster
// CHECK-NEXT:    nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT:    %3 = nvvm.read.ptx.sreg.tid.x {a} : i32
// CHECK-NEXT:    %4 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:    %5 = nvvm.read.ptx.sreg.tid.y : i32
// CHECK-NEXT:    %6 = nvvm.read.ptx.sreg.tid.z : i32
// CHECK-NEXT:    %7 = nvvm.read.ptx.sreg.ntid.x : i32
// CHECK-NEXT:    %8 = nvvm.read.ptx.sreg.ntid.y : i32
// CHECK-NEXT:    %9 = nvvm.read.ptx.sreg.ntid.z : i32
// CHECK-NEXT:    %10 = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT:    %11 = nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK-NEXT:    %12 = nvvm.read.ptx.sreg.ctaid.z : i32
// CHECK-NEXT:    %13 = nvvm.read.ptx.sreg.nctaid.x : i32
// CHECK-NEXT:    %14 = nvvm.read.ptx.sreg.nctaid.y : i32
// CHECK-NEXT:    %15 = nvvm.read.ptx.sreg.nctaid.z : i32
// CHECK-NEXT:    %16 = nvvm.read.ptx.sreg.clusterid.x : i32
// CHECK-NEXT:    %17 = nvvm.read.ptx.sreg.clusterid.y : i32
// CHECK-NEXT:    %18 = nvvm.read.ptx.sreg.clusterid.z : i32
// CHECK-NEXT:    %19 = nvvm.read.ptx.sreg.nclusterid.x : i32
// CHECK-NEXT:    %20 = nvvm.read.ptx.sreg.nclusterid.y : i32
// CHECK-NEXT:    %21 = nvvm.read.ptx.sreg.nclusterid.z : i32
// CHECK-NEXT:    %22 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
// CHECK-NEXT:    %23 = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
// CHECK-NEXT:    %24 = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
// CHECK-NEXT:    %25 = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
// CHECK-NEXT:    %26 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
// CHECK-NEXT:    %27 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
// CHECK-NEXT:    %28 = nvvm.read.ptx.sreg.laneid : i32
// CHECK-NEXT:    %29 = nvvm.read.ptx.sreg.warpid : i32
// CHECK-NEXT:    %30 = nvvm.read.ptx.sreg.warpsize : i32
// CHECK-NEXT:    %31 = nvvm.read.ptx.sreg.smid : i32
// CHECK-NEXT:    %32 = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr<1>, i32, f32, vector<4xf32>, i1, i64, index) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index):
// GENERIC-NEXT:    "nvvm.barrier0"() : () -> ()
// GENERIC-NEXT:    "nvvm.barrier"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()
// GENERIC-NEXT:    "nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
// GENERIC-NEXT:    "nvvm.cluster.arrive"() <{aligned}> : () -> ()
// GENERIC-NEXT:    "nvvm.cluster.wait"() : () -> ()
// GENERIC-NEXT:    "nvvm.fence.mbarrier.init"() : () -> ()
// GENERIC-NEXT:    "nvvm.cp.async.commit.group"() : () -> ()
// GENERIC-NEXT:    "nvvm.cp.async.wait.group"() <{n = 2 : i32}> : () -> ()
// GENERIC-NEXT:    "nvvm.bar.warp.sync"(%arg1) : (i32) -> ()
// GENERIC-NEXT:    %0 = "nvvm.shfl.sync"(%arg1, %arg2, %arg1, %arg1) <{kind = #nvvm<shfl_kind bfly>}> : (i32, f32, i32, i32) -> f32
// GENERIC-NEXT:    %1 = "nvvm.elect.sync"() : () -> i1
// GENERIC-NEXT:    %2 = "nvvm.rcp.approx.ftz.f"(%arg2) : (f32) -> f32
// GENERIC-NEXT:    "nvvm.fence.sc.cluster"() : () -> ()
// GENERIC-NEXT:    "nvvm.cluster.arrive.relaxed"() <{aligned}> : () -> ()
// GENERIC-NEXT:    %3 = "nvvm.read.ptx.sreg.tid.x"() {a} : () -> i32
// GENERIC-NEXT:    %4 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
// GENERIC-NEXT:    %5 = "nvvm.read.ptx.sreg.tid.y"() : () -> i32
// GENERIC-NEXT:    %6 = "nvvm.read.ptx.sreg.tid.z"() : () -> i32
// GENERIC-NEXT:    %7 = "nvvm.read.ptx.sreg.ntid.x"() : () -> i32
// GENERIC-NEXT:    %8 = "nvvm.read.ptx.sreg.ntid.y"() : () -> i32
// GENERIC-NEXT:    %9 = "nvvm.read.ptx.sreg.ntid.z"() : () -> i32
// GENERIC-NEXT:    %10 = "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
// GENERIC-NEXT:    %11 = "nvvm.read.ptx.sreg.ctaid.y"() : () -> i32
// GENERIC-NEXT:    %12 = "nvvm.read.ptx.sreg.ctaid.z"() : () -> i32
// GENERIC-NEXT:    %13 = "nvvm.read.ptx.sreg.nctaid.x"() : () -> i32
// GENERIC-NEXT:    %14 = "nvvm.read.ptx.sreg.nctaid.y"() : () -> i32
// GENERIC-NEXT:    %15 = "nvvm.read.ptx.sreg.nctaid.z"() : () -> i32
// GENERIC-NEXT:    %16 = "nvvm.read.ptx.sreg.clusterid.x"() : () -> i32
// GENERIC-NEXT:    %17 = "nvvm.read.ptx.sreg.clusterid.y"() : () -> i32
// GENERIC-NEXT:    %18 = "nvvm.read.ptx.sreg.clusterid.z"() : () -> i32
// GENERIC-NEXT:    %19 = "nvvm.read.ptx.sreg.nclusterid.x"() : () -> i32
// GENERIC-NEXT:    %20 = "nvvm.read.ptx.sreg.nclusterid.y"() : () -> i32
// GENERIC-NEXT:    %21 = "nvvm.read.ptx.sreg.nclusterid.z"() : () -> i32
// GENERIC-NEXT:    %22 = "nvvm.read.ptx.sreg.cluster.ctaid.x"() : () -> i32
// GENERIC-NEXT:    %23 = "nvvm.read.ptx.sreg.cluster.ctaid.y"() : () -> i32
// GENERIC-NEXT:    %24 = "nvvm.read.ptx.sreg.cluster.ctaid.z"() : () -> i32
// GENERIC-NEXT:    %25 = "nvvm.read.ptx.sreg.cluster.nctaid.x"() : () -> i32
// GENERIC-NEXT:    %26 = "nvvm.read.ptx.sreg.cluster.nctaid.y"() : () -> i32
// GENERIC-NEXT:    %27 = "nvvm.read.ptx.sreg.cluster.nctaid.z"() : () -> i32
// GENERIC-NEXT:    %28 = "nvvm.read.ptx.sreg.laneid"() : () -> i32
// GENERIC-NEXT:    %29 = "nvvm.read.ptx.sreg.warpid"() : () -> i32
// GENERIC-NEXT:    %30 = "nvvm.read.ptx.sreg.warpsize"() : () -> i32
// GENERIC-NEXT:    %31 = "nvvm.read.ptx.sreg.smid"() : () -> i32
// GENERIC-NEXT:    %32 = "nvvm.read.ptx.sreg.cluster.ctarank"() : () -> i32
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
