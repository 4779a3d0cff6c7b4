// RUN: xtriton-opt %s --tritonintelgpu-remove-layout-conversions | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 1], A = [32, 16], B = [16, 16], C = [32, 16]}>
#low = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [1, 8]
// CHECK-DAG: #[[MMA:.*]] = #ttig.dpas<{{.*}}repCluster = [4, 1]
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  // What is read as blocks comes in the layout of the product, and its result is stored as it is.
  // CHECK-LABEL: @product(
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         tt.descriptor_load {{.*}} -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 0
  // CHECK:         tt.descriptor_store {{.*}}, tensor<32x32xf32, #[[MMA]]>
  tt.func @product(%x: !tt.tensordesc<32x16xf16>, %y: tensor<16x32xf16, #b>, %zero: tensor<32x32xf32, #mma>, %out: !tt.tensordesc<32x32xf32>, %i: i32) {
    %p = tt.descriptor_load %x[%i, %i] {ttig.block_io = "row_major"} : !tt.tensordesc<32x16xf16> -> tensor<32x16xf16, #blocked>
    %q = ttg.convert_layout %p : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #a>
    %d = tt.dot %q, %y, %zero : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    %e = ttg.convert_layout %d : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #blocked>
    tt.descriptor_store %out[%i, %i], %e : !tt.tensordesc<32x32xf32>, tensor<32x32xf32, #blocked>
    tt.return
  }

  // One message loads 32 rows, of which the product would take 8 at a time: the load stays.
  // CHECK-LABEL: @low(
  // CHECK:         tt.descriptor_load {{.*}} -> tensor<32x16xf16, #blocked>
  // CHECK:         ttg.convert_layout
  tt.func @low(%x: !tt.tensordesc<32x16xf16>, %i: i32) -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #low, kWidth = 1}>> {
    %p = tt.descriptor_load %x[%i, %i] {ttig.block_io = "row_major"} : !tt.tensordesc<32x16xf16> -> tensor<32x16xf16, #blocked>
    %q = ttg.convert_layout %p : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #low, kWidth = 1}>>
    tt.return %q : tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #low, kWidth = 1}>>
  }

  // The addresses are made in the layout of the load, and the assertion takes them in it.
  // CHECK-LABEL: @handed_on(
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         tt.assert {{.*}} : tensor<1x512xi1, #[[WIDE]]>
  tt.func @handed_on(%p: !tt.ptr<f16>) -> tensor<1x512xf16, #wide> {
    %limit = arith.constant dense<512> : tensor<1x512xi32, #blocked>
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %e = tt.expand_dims %r {axis = 0 : i32} : tensor<512xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x512xi32, #blocked>
    %ok = arith.cmpi slt, %e, %limit : tensor<1x512xi32, #blocked>
    tt.assert %ok, "outside" : tensor<1x512xi1, #blocked>
    %s = tt.splat %p : !tt.ptr<f16> -> tensor<1x512x!tt.ptr<f16>, #blocked>
    %at = tt.addptr %s, %e : tensor<1x512x!tt.ptr<f16>, #blocked>, tensor<1x512xi32, #blocked>
    %c = ttg.convert_layout %at : tensor<1x512x!tt.ptr<f16>, #blocked> -> tensor<1x512x!tt.ptr<f16>, #wide>
    %x = tt.load %c : tensor<1x512x!tt.ptr<f16>, #wide>
    tt.return %x : tensor<1x512xf16, #wide>
  }
}
