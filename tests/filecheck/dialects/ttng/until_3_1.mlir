// Asynchronous products of Triton 3.1, which today are warp group dots.
// RUN: xtriton-opt %s | xtriton-opt | filecheck %s
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt | filecheck %s
// RUN: xtriton-opt %s --triton-version=3.9 | filecheck %s --check-prefix=TODAY

// CHECK-LABEL: tt.func @dots
// CHECK-NEXT:    %0 = triton_nvidia_gpu.dot_async %arg0, %arg1, %arg2 {inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32} : !tt.memdesc<64x64xf16, #shared> * !tt.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #mma>
// CHECK-NEXT:    %1 = triton_nvidia_gpu.dot_wait %0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
// TODAY-LABEL: tt.func @dots
// TODAY-NEXT:    %0 = ttng.warp_group_dot %arg0, %arg1, %arg2 {inputPrecision = 0 : i32, isAsync = true}
// TODAY-NEXT:    %1 = ttng.warp_group_dot_wait %0 {pendings = 0 : i32}
#mma = #triton_gpu.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  tt.func @dots(%a: !tt.memdesc<64x64xf16, #shared>, %b: !tt.memdesc<64x64xf16, #shared>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = triton_nvidia_gpu.dot_async %a, %b, %c {inputPrecision = 0 : i32} : !tt.memdesc<64x64xf16, #shared> * !tt.memdesc<64x64xf16, #shared> -> tensor<64x64xf32, #mma>
    %1 = triton_nvidia_gpu.dot_wait %0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    tt.return %1 : tensor<64x64xf32, #mma>
  }
}
