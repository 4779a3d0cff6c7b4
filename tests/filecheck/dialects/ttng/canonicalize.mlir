// RUN: xtriton-opt %s --canonicalize | filecheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @last_source
  // CHECK-NEXT: ttng.barrier_expect %arg0, 64, %arg1
  // CHECK-NEXT: ttng.barrier_expect %arg0, 64 {fromCTA = 0 : i32}, %arg1
  // CHECK-NEXT: ttng.arrive_barrier %arg0, 2, %arg1 : !ttg
  // CHECK-NEXT: ttng.arrive_barrier %arg0, 2, %arg1 {fromCTA = 0 : i32} : !ttg
  tt.func @last_source(%b: !ttg.memdesc<2xi64, #shared, #smem, mutable>, %p: i1) {
    ttng.barrier_expect %b, 64 {fromCTA = 1 : i32}, %p : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.barrier_expect %b, 64 {fromCTA = 0 : i32}, %p : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %b, 2, %p {fromCTA = 1 : i32} : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %b, 2, %p {fromCTA = 0 : i32} : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}
