// RUN: XTRITON_INVALID

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'strides' must have an entry for each of the 1 dimensions, but has 2}}
  %0 = tts.make_tptr %p to sizes: [4], strides: [1, 1], offsets: [0], shape: [0], order: [] : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'shape' must have an entry for each of the 1 dimensions, but has 0}}
  %0 = tts.make_tptr %p to sizes: [4], strides: [1], offsets: [0], shape: [], order: [] : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{result must be 'tensor<4x!tt.ptr<f32>>', but got 'tensor<8x!tt.ptr<f32>>'}}
  %0 = tts.make_tptr %p to sizes: [4], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{result must be '!tt.ptr<tensor<4xf32>>'}}
  %0 = tts.make_tptr %p to sizes: [4], strides: [1], offsets: [0], shape: [4], order: [0] : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'order' must be empty or a permutation of 0..1, got [1, 1]}}
  %0 = tts.make_tptr %p to sizes: [4, 4], strides: [1, 1], offsets: [0, 0], shape: [4, 4], order: [1, 1] : <f32> to !tt.ptr<tensor<4x4xf32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'sizes' must be positive, got [0]}}
  %0 = tts.make_tptr %p to sizes: [0], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<0x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'shape' must not be negative}}
  %0 = tts.make_tptr %p to sizes: [4], strides: [1], offsets: [0], shape: [-1], order: [] : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<tensor<4xf32>>) {
  // expected-error @+1 {{operand 'base' must be a scalar ptr}}
  %0 = tts.make_tptr %p to sizes: [4], strides: [1], offsets: [0], shape: [0], order: [] : <tensor<4xf32>> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %i: index) {
  // expected-error @+1 {{'static_strides' leaves 0 entries to operand 'strides', but there are 1 values}}
  %0 = "tts.make_tptr"(%p, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, order = array<i32>, sizes = array<i64: 4>, static_strides = array<i64: 1>, static_offsets = array<i64: 0>, static_shape = array<i64: 0>}> : (!tt.ptr<f32>, index) -> tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>) {
  // expected-error @+1 {{gatherScatterDim is out of bounds}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 1 gather_scatter_offset: %o, strides: [1], offsets: [0] : tensor<4xi32>  <f32> to !tt.ptr<tensor<4xf32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>) {
  // expected-error @+1 {{sizes, strides, and offsets must have the same number of dimensions}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %o, strides: [1], offsets: [0, 0] : tensor<4xi32>  <f32> to !tt.ptr<tensor<4xf32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4x1xi32>) {
  // expected-error @+1 {{gatherScatterOffset must be a 1D tensor}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %o, strides: [1], offsets: [0] : tensor<4x1xi32>  <f32> to !tt.ptr<tensor<4xf32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<8xi32>) {
  // expected-error @+1 {{gatherScatterOffset must have the size of its dimension, 4}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %o, strides: [1], offsets: [0] : tensor<8xi32>  <f32> to !tt.ptr<tensor<4xf32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>, %m: tensor<8xi1>) {
  // expected-error @+1 {{gatherScatterMask must have the same size as gatherScatterOffset}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %o gather_scatter_mask: %m, strides: [1], offsets: [0] : tensor<4xi32> tensor<8xi1> <f32> to !tt.ptr<tensor<4xf32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{must have mask provided}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %o gather_scatter_mask: %m, strides: [1], offsets: [0] : tensor<4xi32> tensor<4xi1> <f32> to !tt.ptr<tensor<4xf32>>
  %1 = "tts.load"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (!tt.ptr<tensor<4xf32>>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{must have mask size of 0 for gather_scatter_dim}}
  %0 = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %o gather_scatter_mask: %m, strides: [1], offsets: [0] : tensor<4xi32> tensor<4xi1> <f32> to !tt.ptr<tensor<4xf32>>
  %1 = "tts.load"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64: 4>}> : (!tt.ptr<tensor<4xf32>>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{has 1 offsets and 1 strides, but the results are 1 and 0}}
  %0, %1 = "tts.get_structured_state"(%p) <{resultSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f32>>) -> (tensor<4x!tt.ptr<f32>>, index)
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{'mask_dims' must have an entry for each of the 1 dimensions, but has 2}}
  %0 = "tts.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64: 1, 1>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{dimension 0 has size 4, but the mask 5}}
  %0 = "tts.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64: 5>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %o: i32) {
  // expected-error @+1 {{operand 'other' must be 'f32', but got 'i32'}}
  %0 = "tts.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_mask_dims = array<i64: 2>}> : (tensor<4x!tt.ptr<f32>>, i32) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %o: f32) {
  // expected-error @+1 {{operand 'other' needs a mask}}
  %0 = "tts.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<f32>>, f32) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{result}}
  %0 = "tts.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{operand 'ptr' must be a tensor of ptr or a ptr to a block}}
  %0 = "tts.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (!tt.ptr<f32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<8xf32>) {
  // expected-error @+1 {{value}}
  "tts.store"(%p, %v) <{static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<f32>>, tensor<8xf32>) -> ()
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>) {
  // expected-error @+1 {{'result' must be 'tensor<4xf32>', but got 'tensor<4xf16>'}}
  %0 = tts.gather %p[%o] : (<f32>, tensor<4xi32>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>, %x: f32) {
  // expected-error @+1 {{operand 'other' needs a mask}}
  %0 = tts.gather %p[%o] default = %x : (<f32>, tensor<4xi32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: tensor<4xi32>, %x: tensor<8xf32>) {
  // expected-error @+1 {{'value' must be 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  tts.scatter %x into %p[%o] : tensor<8xf32> into (<f32>, tensor<4xi32>)
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'map' must have a dimension for each of the 1 sizes, but has 2}}
  %0 = tts.make_affine_tptr %p[] to sizes: [4], map: affine_map<(d0, d1) -> (d0 + d1)> : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'map' must have a symbol for each of the 0 values of operand 'symbols', but has 1}}
  %0 = tts.make_affine_tptr %p[] to sizes: [4], map: affine_map<(d0)[s0] -> (d0 + s0)> : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'map' must have one result, but has 2}}
  %0 = tts.make_affine_tptr %p[] to sizes: [4], map: affine_map<(d0) -> (d0, d0)> : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'map' divides by 0, which is not positive}}
  %0 = tts.make_affine_tptr %p[] to sizes: [4], map: affine_map<(d0) -> (d0 mod 0)> : <f32> to tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{'ends' must have an entry for each of the 1 dimensions, but has 0}}
  %0 = tts.masked_load %p from [0] to [] : tensor<4x!tt.ptr<f32>> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{'ends' must be within the block: dimension 0 has size 4, but got 5}}
  %0 = tts.masked_load %p from [0] to [5] : tensor<4x!tt.ptr<f32>> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x8x!tt.ptr<f32>>, %n: index) {
  // expected-error @+1 {{a window that is 'nonempty' must begin before it ends: dimension 1 is from 3 to 3}}
  %0 = tts.masked_load %p from [%n, 3] to [0, 3] nonempty : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'starts' must be within the block: dimension 0 has size 4, but got -1}}
  tts.masked_store %p, %v from [-1] to [4] : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<i32>>, %v: tensor<4xi32>) {
  // expected-error @+1 {{'starts' must have an entry for each of the 1 dimensions, but has 0}}
  %0 = tts.atomic_rmw add, acq_rel, gpu, %p, %v from [] to [4] : tensor<4x!tt.ptr<i32>> -> tensor<4xi32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i32>, %o: tensor<4xi32>, %v: tensor<4xi64>) {
  // expected-error @+1 {{'value' must be 'tensor<4xi32>', but got 'tensor<4xi64>'}}
  %0 = tts.unstructured_atomic_rmw add, acq_rel, gpu, %p[%o], %v : (<i32>, tensor<4xi32>, tensor<4xi64>) -> tensor<4xi64>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i32>, %v: i64) {
  // expected-error @+1 {{'value' must be 'i32', but got 'i64'}}
  %0 = tts.unstructured_atomic_cas acq_rel, gpu, %p[%v], %v, %v : (<i32>, i64, i64) -> i64
  tt.return
}
