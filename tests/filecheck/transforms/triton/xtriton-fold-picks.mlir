// RUN: xtriton-opt %s --xtriton-fold-picks | filecheck %s

// As Inductor takes the last element of scanned rows.

// CHECK-LABEL: tt.func @last
// CHECK-SAME:    %[[X:.*]]: tensor<8x64xf32>
// CHECK:         %[[PLACE:.*]] = arith.constant dense<63> : tensor<8x1xi32>
// CHECK-NEXT:    %[[PICKED:.*]] = tt.gather %[[X]][%[[PLACE]]] {axis = 1 : i32} : (tensor<8x64xf32>, tensor<8x1xi32>) -> tensor<8x1xf32>
// CHECK-NEXT:    %[[ROW:.*]] = tt.reshape %[[PICKED]] : tensor<8x1xf32> -> tensor<8xf32>
// CHECK-NEXT:    %[[BITS:.*]] = tt.bitcast %[[ROW]] : tensor<8xf32> -> tensor<8xi32>
// CHECK-NEXT:    tt.return %[[BITS]]
tt.func @last(%x: tensor<8x64xf32>) -> tensor<8xi32> {
  %last = arith.constant dense<63> : tensor<1x64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %is_last = arith.cmpi eq, %row, %last : tensor<1x64xi32>
  %bits = tt.bitcast %x : tensor<8x64xf32> -> tensor<8x64xi32>
  %one = arith.extui %is_last : tensor<1x64xi1> to tensor<1x64xi32>
  %ones = tt.broadcast %one : tensor<1x64xi32> -> tensor<8x64xi32>
  %product = arith.muli %bits, %ones : tensor<8x64xi32>
  %sum = "tt.reduce"(%product) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<8x64xi32>) -> tensor<8xi32>
  tt.return %sum : tensor<8xi32>
}

// Along columns, from a range that does not begin with 0.

// CHECK-LABEL: tt.func @of_columns
// CHECK:         arith.constant dense<3> : tensor<1x64xi32>
// CHECK-NOT:     tt.reduce
// CHECK:         tt.return
tt.func @of_columns(%x: tensor<8x64xi64>) -> tensor<64xi64> {
  %fifth = arith.constant dense<5> : tensor<8x1xi32>
  %range = tt.make_range {end = 10 : i32, start = 2 : i32} : tensor<8xi32>
  %column = tt.expand_dims %range {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %all = tt.broadcast %column : tensor<8x1xi32> -> tensor<8x64xi32>
  %fifths = tt.broadcast %fifth : tensor<8x1xi32> -> tensor<8x64xi32>
  %is_fifth = arith.cmpi eq, %fifth, %column : tensor<8x1xi32>
  %one = arith.extui %is_fifth : tensor<8x1xi1> to tensor<8x1xi64>
  %ones = tt.broadcast %one : tensor<8x1xi64> -> tensor<8x64xi64>
  %product = arith.muli %ones, %x : tensor<8x64xi64>
  %sum = "tt.reduce"(%product) <{axis = 0 : i32}> ({
  ^bb0(%a: i64, %b: i64):
    %s = arith.addi %a, %b : i64
    tt.reduce.return %s : i64
  }) : (tensor<8x64xi64>) -> tensor<64xi64>
  tt.return %sum : tensor<64xi64>
}

// Nowhere, along the other axis, where it is not equal, and the greatest product.

// CHECK-LABEL: tt.func @others
// CHECK-COUNT-4: "tt.reduce"
tt.func @others(%x: tensor<8x8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %behind = arith.constant dense<8> : tensor<1x8xi32>
  %last = arith.constant dense<7> : tensor<1x8xi32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %is_behind = arith.cmpi eq, %row, %behind : tensor<1x8xi32>
  %none = arith.extui %is_behind : tensor<1x8xi1> to tensor<1x8xi32>
  %nones = tt.broadcast %none : tensor<1x8xi32> -> tensor<8x8xi32>
  %is_last = arith.cmpi eq, %row, %last : tensor<1x8xi32>
  %one = arith.extui %is_last : tensor<1x8xi1> to tensor<1x8xi32>
  %ones = tt.broadcast %one : tensor<1x8xi32> -> tensor<8x8xi32>
  %is_other = arith.cmpi ne, %row, %last : tensor<1x8xi32>
  %other = arith.extui %is_other : tensor<1x8xi1> to tensor<1x8xi32>
  %others = tt.broadcast %other : tensor<1x8xi32> -> tensor<8x8xi32>
  %by_none = arith.muli %x, %nones : tensor<8x8xi32>
  %by_one = arith.muli %x, %ones : tensor<8x8xi32>
  %by_others = arith.muli %x, %others : tensor<8x8xi32>
  %a = "tt.reduce"(%by_none) <{axis = 1 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tt.reduce.return %s : i32
  }) : (tensor<8x8xi32>) -> tensor<8xi32>
  %b = "tt.reduce"(%by_one) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tt.reduce.return %s : i32
  }) : (tensor<8x8xi32>) -> tensor<8xi32>
  %c = "tt.reduce"(%by_others) <{axis = 1 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tt.reduce.return %s : i32
  }) : (tensor<8x8xi32>) -> tensor<8xi32>
  %d = "tt.reduce"(%by_one) <{axis = 1 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.maxsi %l, %r : i32
    tt.reduce.return %s : i32
  }) : (tensor<8x8xi32>) -> tensor<8xi32>
  tt.return %a, %b, %c, %d : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
