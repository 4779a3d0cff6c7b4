// Ops of rocdl: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
    %0 = rocdl.wavefrontsize : i32
    rocdl.barrier
    rocdl.s.barrier {a}
    rocdl.s.waitcnt 7
    rocdl.s.wait.dscnt 0
    rocdl.s.wait.loadcnt 0
    rocdl.s.wait.storecnt 0
    rocdl.s.wait.expcnt 0
    rocdl.sched.barrier 6
    rocdl.sched.group.barrier 8, 1, 0
    rocdl.iglp.opt 0
    rocdl.s.setprio 1
    %1 = rocdl.ballot %arg4 : i64
    %2 = rocdl.readfirstlane %arg1 : i32
    %3 = rocdl.ds_bpermute %arg1, %arg1 : (i32, i32) -> i32
    %4 = rocdl.exp2 %arg2 f32 -> f32
    %5 = rocdl.workitem.id.x {a} : i32
    %6 = rocdl.workitem.id.x : i32
    %7 = rocdl.workitem.id.y : i32
    %8 = rocdl.workitem.id.z : i32
    %9 = rocdl.workgroup.id.x : i32
    %10 = rocdl.workgroup.id.y : i32
    %11 = rocdl.workgroup.id.z : i32
    %12 = rocdl.workgroup.dim.x : i32
    %13 = rocdl.workgroup.dim.y : i32
    %14 = rocdl.workgroup.dim.z : i32
    %15 = rocdl.grid.dim.x : i32
    %16 = rocdl.grid.dim.y : i32
    %17 = rocdl.grid.dim.z : i32
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
// CHECK-NEXT:    %0 = rocdl.wavefrontsize : i32
// CHECK-NEXT:    rocdl.barrier
// CHECK-NEXT:    rocdl.s.barrier {a}
// CHECK-NEXT:    rocdl.s.waitcnt 7
// CHECK-NEXT:    rocdl.s.wait.dscnt 0
// CHECK-NEXT:    rocdl.s.wait.loadcnt 0
// CHECK-NEXT:    rocdl.s.wait.storecnt 0
// CHECK-NEXT:    rocdl.s.wait.expcnt 0
// CHECK-NEXT:    rocdl.sched.barrier 6
// CHECK-NEXT:    rocdl.sched.group.barrier 8, 1, 0
// CHECK-NEXT:    rocdl.iglp.opt 0
// CHECK-NEXT:    rocdl.s.setprio 1
// CHECK-NEXT:    %1 = rocdl.ballot %arg4 : i64
// CHECK-NEXT:    %2 = rocdl.readfirstlane %arg1 : i32
// CHECK-NEXT:    %3 = rocdl.ds_bpermute %arg1, %arg1 : (i32, i32) -> i32
// CHECK-NEXT:    %4 = rocdl.exp2 %arg2 f32 -> f32
// CHECK-NEXT:    %5 = rocdl.workitem.id.x {a} : i32
// CHECK-NEXT:    %6 = rocdl.workitem.id.x : i32
// CHECK-NEXT:    %7 = rocdl.workitem.id.y : i32
// CHECK-NEXT:    %8 = rocdl.workitem.id.z : i32
// CHECK-NEXT:    %9 = rocdl.workgroup.id.x : i32
// CHECK-NEXT:    %10 = rocdl.workgroup.id.y : i32
// CHECK-NEXT:    %11 = rocdl.workgroup.id.z : i32
// CHECK-NEXT:    %12 = rocdl.workgroup.dim.x : i32
// CHECK-NEXT:    %13 = rocdl.workgroup.dim.y : i32
// CHECK-NEXT:    %14 = rocdl.workgroup.dim.z : i32
// CHECK-NEXT:    %15 = rocdl.grid.dim.x : i32
// CHECK-NEXT:    %16 = rocdl.grid.dim.y : i32
// CHECK-NEXT:    %17 = rocdl.grid.dim.z : i32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr<1>, i32, f32, vector<4xf32>, i1, i64, index) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index):
// GENERIC-NEXT:    %0 = "rocdl.wavefrontsize"() : () -> i32
// GENERIC-NEXT:    "rocdl.barrier"() : () -> ()
// GENERIC-NEXT:    "rocdl.s.barrier"() {a} : () -> ()
// GENERIC-NEXT:    "rocdl.s.waitcnt"() <{bitfield = 7 : i32}> : () -> ()
// GENERIC-NEXT:    "rocdl.s.wait.dscnt"() <{count = 0 : i16}> : () -> ()
// GENERIC-NEXT:    "rocdl.s.wait.loadcnt"() <{count = 0 : i16}> : () -> ()
// GENERIC-NEXT:    "rocdl.s.wait.storecnt"() <{count = 0 : i16}> : () -> ()
// GENERIC-NEXT:    "rocdl.s.wait.expcnt"() <{count = 0 : i16}> : () -> ()
// GENERIC-NEXT:    "rocdl.sched.barrier"() <{mask = 6 : i32}> : () -> ()
// GENERIC-NEXT:    "rocdl.sched.group.barrier"() <{groupId = 0 : i32, mask = 8 : i32, size = 1 : i32}> : () -> ()
// GENERIC-NEXT:    "rocdl.iglp.opt"() <{variant = 0 : i32}> : () -> ()
// GENERIC-NEXT:    "rocdl.s.setprio"() <{priority = 1 : i16}> : () -> ()
// GENERIC-NEXT:    %1 = "rocdl.ballot"(%arg4) : (i1) -> i64
// GENERIC-NEXT:    %2 = "rocdl.readfirstlane"(%arg1) : (i32) -> i32
// GENERIC-NEXT:    %3 = "rocdl.ds_bpermute"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %4 = "rocdl.exp2"(%arg2) : (f32) -> f32
// GENERIC-NEXT:    %5 = "rocdl.workitem.id.x"() {a} : () -> i32
// GENERIC-NEXT:    %6 = "rocdl.workitem.id.x"() : () -> i32
// GENERIC-NEXT:    %7 = "rocdl.workitem.id.y"() : () -> i32
// GENERIC-NEXT:    %8 = "rocdl.workitem.id.z"() : () -> i32
// GENERIC-NEXT:    %9 = "rocdl.workgroup.id.x"() : () -> i32
// GENERIC-NEXT:    %10 = "rocdl.workgroup.id.y"() : () -> i32
// GENERIC-NEXT:    %11 = "rocdl.workgroup.id.z"() : () -> i32
// GENERIC-NEXT:    %12 = "rocdl.workgroup.dim.x"() : () -> i32
// GENERIC-NEXT:    %13 = "rocdl.workgroup.dim.y"() : () -> i32
// GENERIC-NEXT:    %14 = "rocdl.workgroup.dim.z"() : () -> i32
// GENERIC-NEXT:    %15 = "rocdl.grid.dim.x"() : () -> i32
// GENERIC-NEXT:    %16 = "rocdl.grid.dim.y"() : () -> i32
// GENERIC-NEXT:    %17 = "rocdl.grid.dim.z"() : () -> i32
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
