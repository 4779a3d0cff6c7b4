// One IR, the text of each release.
// RUN: xtriton-opt %s --triton-version=3.1 | filecheck %s --check-prefixes=ALL,V31,UNTIL38
// RUN: xtriton-opt %s --triton-version=3.6 | filecheck %s --check-prefixes=ALL,V36,UNTIL38
// RUN: xtriton-opt %s --triton-version=3.8 | filecheck %s --check-prefixes=ALL,V36,UNTIL38
// RUN: xtriton-opt %s --triton-version=3.9 | filecheck %s --check-prefixes=ALL,V36,V39
// RUN: xtriton-opt %s --triton-version=3.1 | xtriton-opt --triton-version=3.9 | filecheck %s --check-prefixes=ALL,V36,V39
// RUN: xtriton-opt %s --triton-version=3.9 | xtriton-opt --triton-version=3.1 | filecheck %s --check-prefixes=ALL,V31,UNTIL38

// ALL-LABEL: @kernel
// UNTIL38-SAME: !tt.ptr<f32, 4>
// V39-SAME: !tt.ptr<f32, "constant">
tt.func @kernel(%p: !tt.ptr<f32>, %c: !tt.ptr<f32, 4>, %x: tensor<8x4xf32>, %m: tensor<8xi1>) {
  // UNTIL38: tt.load %{{.*}} cacheModifier = ca evictionPolicy = evict_first : !tt.ptr<f32>
  // V39: tt.load %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>} : !tt.ptr<f32>
  %0 = tt.load %p cacheModifier = ca evictionPolicy = evict_first : !tt.ptr<f32>
  // ALL: tt.load %{{.*}} {isVolatile = true} : !tt.ptr<f32, {{.*}}>
  %1 = tt.load %c {isVolatile = true} : !tt.ptr<f32, 4>
  // UNTIL38: tt.store %{{.*}}, %{{.*}} cacheModifier = cs : !tt.ptr<f32>
  // V39: tt.store %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = evict_normal>} : !tt.ptr<f32>
  tt.store %p, %0 cacheModifier = cs : !tt.ptr<f32>
  // V31: tt.reshape %{{.*}} {allow_reorder = true} : tensor<8x4xf32> -> tensor<32xf32>
  // V36: tt.reshape %{{.*}} allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  %2 = tt.reshape %x allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  // V31: tt.reshape %{{.*}} {allow_reorder = false} : tensor<8x4xf32> -> tensor<32xf32>
  // V36: tt.reshape %{{.*}} : tensor<8x4xf32> -> tensor<32xf32>
  %3 = tt.reshape %x : tensor<8x4xf32> -> tensor<32xf32>
  // V31: tt.assert %{{.*}}, "m", "", "", 0 : tensor<8xi1>
  // V36: tt.assert %{{.*}}, "m" : tensor<8xi1>
  tt.assert %m, "m" : tensor<8xi1>
  tt.return
}
