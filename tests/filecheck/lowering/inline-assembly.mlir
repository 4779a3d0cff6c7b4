// RUN: not xtriton-opt %s --triton-to-linalg-experimental 2>&1 | filecheck %s

// CHECK: inline-assembly.mlir:6:8: error: {{.*}}cannot lower inline assembly 'mov $0, $1;'

tt.func public @asm(%x: tensor<8xi32>) -> tensor<8xi32> {
  %v = tt.elementwise_inline_asm "mov $0, $1;"
      {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>
  tt.return %v : tensor<8xi32>
}
