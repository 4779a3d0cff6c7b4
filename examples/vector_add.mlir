// RUN: xtriton-opt %S/vector_add.ttir --triton-to-structured | filecheck %s

// CHECK-LABEL: @add_kernel
// CHECK: tts.load
// CHECK: tts.load
// CHECK: tts.store
