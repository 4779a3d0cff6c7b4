// RUN: XTRITON_INVALID

tt.func @f(%x: tensor<128xf32>) {
  // expected-error @+1 {{input tensor must have an auto layout type}}
  %0 = gluon.set_auto_layout %x : tensor<128xf32> -> tensor<128xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<128xf32, #gluon.auto_encoding>) {
  // expected-error @+1 {{result type must not be auto layout}}
  %0 = gluon.set_auto_layout %x : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #gluon.auto_encoding>
  tt.return
}
