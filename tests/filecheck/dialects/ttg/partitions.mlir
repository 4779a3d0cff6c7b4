// The partitions of a warp specialization are an op of their own, seen in the generic form.
// RUN: XTRITON_ROUNDTRIP
// RUN: XTRITON_GENERIC

// CHECK-LABEL: tt.func @partitions
// CHECK:         ttg.warp_specialize(%arg0)
// CHECK:         partition0(%arg1: i32) num_warps(4) {
// GENERIC:       "ttg.warp_specialize"() <{partitionNumWarps = array<i32: 4>}> ({
// GENERIC:         "ttg.warp_yield"() : () -> ()
// GENERIC:         "ttg.warp_specialize.partitions"(%arg0) ({
// GENERIC-NEXT:    ^bb0(%arg1: i32):
// GENERIC-NEXT:      "ttg.warp_return"() : () -> ()
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @partitions(%x: i32) {
    ttg.warp_specialize(%x)
    default {
      ttg.warp_yield
    }
    partition0(%y: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}
