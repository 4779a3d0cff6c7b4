// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  // A loop that counts by 32 keeps to whole words; every access tells how it is padded.
  // CHECK-LABEL: @loop(
  // CHECK:         tt.descriptor_load {{.*}} {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32}
  // CHECK:         tt.descriptor_store {{.*}} {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32}
  tt.func @loop(%base: !tt.ptr<f16>, %n: i32 {tt.divisibility = 16 : i32}, %pitch: i64) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %one = arith.constant 1 : i64
    %desc = tt.make_tensor_descriptor %base, [%n, %n], [%pitch, %one] : <f16>, <4x32xf16>
    scf.for %i = %c0 to %n step %c32 : i32 {
      %x = tt.descriptor_load %desc[%c0, %i] : !tt.tensordesc<4x32xf16> -> tensor<4x32xf16, #blocked>
      tt.descriptor_store %desc[%c32, %i], %x : !tt.tensordesc<4x32xf16>, tensor<4x32xf16, #blocked>
    }
    tt.return
  }

  // Rows of which nobody knows the width, and a pitch that is no multiple of 16 bytes.
  // CHECK-LABEL: @odd(
  // CHECK-NOT:     ttig.block_io
  tt.func @odd(%base: !tt.ptr<f16>, %n: i32, %pitch: i64) -> (tensor<4x32xf16, #blocked>, tensor<4x32xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %short = arith.constant 68 : i64
    %desc = tt.make_tensor_descriptor %base, [%n, %n], [%pitch, %one] : <f16>, <4x32xf16>
    %x = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<4x32xf16> -> tensor<4x32xf16, #blocked>
    %near = tt.make_tensor_descriptor %base, [%c64, %c64], [%short, %one] : <f16>, <4x32xf16>
    %y = tt.descriptor_load %near[%c0, %c0] : !tt.tensordesc<4x32xf16> -> tensor<4x32xf16, #blocked>
    tt.return %x, %y : tensor<4x32xf16, #blocked>, tensor<4x32xf16, #blocked>
  }

  // Neither a mask nor a distance that only its divisibility is known of keeps pointers from it.
  // CHECK-LABEL: @masked(
  // CHECK:         tt.load {{.*}} {ttig.block_io = "row_major"}
  tt.func @masked(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %mask: tensor<4x32xi1, #blocked>) -> tensor<4x32xf16, #blocked> {
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %e = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %s = tt.splat %p : !tt.ptr<f16> -> tensor<1x32x!tt.ptr<f16>, #blocked>
    %a = tt.addptr %s, %e : tensor<1x32x!tt.ptr<f16>, #blocked>, tensor<1x32xi32, #blocked>
    %b = tt.broadcast %a : tensor<1x32x!tt.ptr<f16>, #blocked> -> tensor<4x32x!tt.ptr<f16>, #blocked>
    %x = tt.load %b, %mask : tensor<4x32x!tt.ptr<f16>, #blocked>
    tt.return %x : tensor<4x32xf16, #blocked>
  }
}
