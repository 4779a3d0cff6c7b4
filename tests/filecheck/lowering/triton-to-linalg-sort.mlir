// RUN: xtriton-opt %s --triton-to-linalg-experimental --xtriton-check-semantics | filecheck %s

// What Triton 3.9 makes of `tl.sort` of eight floats: reshapes, reductions by xor, selects.
// CHECK-LABEL: func.func @sort_kernel
// CHECK-NOT: tt.
// CHECK: linalg.reduce
// CHECK-NOT: tt.
// CHECK: bufferization.materialize_in_destination
module {
  tt.func public @sort_kernel(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x2x2xi32>
    %cst_0 = arith.constant dense<0> : tensor<2x1x2xi32>
    %cst_1 = arith.constant dense<0> : tensor<2x2x1xi32>
    %cst_2 = arith.constant dense<0> : tensor<1x1x2xi32>
    %cst_3 = arith.constant dense<0> : tensor<1x2x1xi32>
    %cst_4 = arith.constant dense<0> : tensor<2x1x1xi32>
    %cst_5 = arith.constant dense<0x7F800000> : tensor<8xf32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.splat %arg2 : i32 -> tensor<8xi32>
    %2 = arith.cmpi slt, %0, %1 : tensor<8xi32>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %4 = tt.addptr %3, %0 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %5 = tt.load %4, %2, %cst_5 : tensor<8x!tt.ptr<f32>>
    %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %7 = tt.addptr %6, %0 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %8 = tt.reshape %5 : tensor<8xf32> -> tensor<2x2x2xf32>
    %9 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %10 = tt.reshape %9 : tensor<2xi32> -> tensor<1x2x1xi32>
    %11 = tt.bitcast %8 : tensor<2x2x2xf32> -> tensor<2x2x2xi32>
    %12 = "tt.reduce"(%11) <{axis = 2 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %89 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %89 : i32
    }) : (tensor<2x2x2xi32>) -> tensor<2x2xi32>
    %13 = tt.expand_dims %12 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %14 = tt.broadcast %13 : tensor<2x2x1xi32> -> tensor<2x2x2xi32>
    %15 = arith.xori %11, %14 : tensor<2x2x2xi32>
    %16 = tt.bitcast %15 : tensor<2x2x2xi32> -> tensor<2x2x2xf32>
    %17 = tt.reshape %9 : tensor<2xi32> -> tensor<1x1x2xi32>
    %18 = arith.cmpf ogt, %8, %16 : tensor<2x2x2xf32>
    %19 = tt.broadcast %10 : tensor<1x2x1xi32> -> tensor<1x2x2xi32>
    %20 = tt.broadcast %17 : tensor<1x1x2xi32> -> tensor<1x2x2xi32>
    %21 = arith.xori %19, %20 : tensor<1x2x2xi32>
    %22 = arith.cmpi ne, %21, %cst : tensor<1x2x2xi32>
    %23 = tt.broadcast %22 : tensor<1x2x2xi1> -> tensor<2x2x2xi1>
    %24 = arith.cmpi ne, %18, %23 : tensor<2x2x2xi1>
    %25 = arith.select %24, %16, %8 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
    %26 = tt.reshape %9 : tensor<2xi32> -> tensor<2x1x1xi32>
    %27 = tt.bitcast %25 : tensor<2x2x2xf32> -> tensor<2x2x2xi32>
    %28 = "tt.reduce"(%27) <{axis = 1 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %89 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %89 : i32
    }) : (tensor<2x2x2xi32>) -> tensor<2x2xi32>
    %29 = tt.expand_dims %28 {axis = 1 : i32} : tensor<2x2xi32> -> tensor<2x1x2xi32>
    %30 = tt.broadcast %29 : tensor<2x1x2xi32> -> tensor<2x2x2xi32>
    %31 = arith.xori %27, %30 : tensor<2x2x2xi32>
    %32 = tt.bitcast %31 : tensor<2x2x2xi32> -> tensor<2x2x2xf32>
    %33 = arith.cmpf ogt, %25, %32 : tensor<2x2x2xf32>
    %34 = tt.broadcast %26 : tensor<2x1x1xi32> -> tensor<2x2x1xi32>
    %35 = tt.broadcast %10 : tensor<1x2x1xi32> -> tensor<2x2x1xi32>
    %36 = arith.xori %34, %35 : tensor<2x2x1xi32>
    %37 = arith.cmpi ne, %36, %cst_1 : tensor<2x2x1xi32>
    %38 = tt.broadcast %37 : tensor<2x2x1xi1> -> tensor<2x2x2xi1>
    %39 = arith.cmpi ne, %33, %38 : tensor<2x2x2xi1>
    %40 = arith.select %39, %32, %25 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
    %41 = tt.bitcast %40 : tensor<2x2x2xf32> -> tensor<2x2x2xi32>
    %42 = "tt.reduce"(%41) <{axis = 2 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %89 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %89 : i32
    }) : (tensor<2x2x2xi32>) -> tensor<2x2xi32>
    %43 = tt.expand_dims %42 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %44 = tt.broadcast %43 : tensor<2x2x1xi32> -> tensor<2x2x2xi32>
    %45 = arith.xori %41, %44 : tensor<2x2x2xi32>
    %46 = tt.bitcast %45 : tensor<2x2x2xi32> -> tensor<2x2x2xf32>
    %47 = arith.cmpf ogt, %40, %46 : tensor<2x2x2xf32>
    %48 = tt.broadcast %26 : tensor<2x1x1xi32> -> tensor<2x1x2xi32>
    %49 = tt.broadcast %17 : tensor<1x1x2xi32> -> tensor<2x1x2xi32>
    %50 = arith.xori %48, %49 : tensor<2x1x2xi32>
    %51 = arith.cmpi ne, %50, %cst_0 : tensor<2x1x2xi32>
    %52 = tt.broadcast %51 : tensor<2x1x2xi1> -> tensor<2x2x2xi1>
    %53 = arith.cmpi ne, %47, %52 : tensor<2x2x2xi1>
    %54 = arith.select %53, %46, %40 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
    %55 = tt.bitcast %54 : tensor<2x2x2xf32> -> tensor<2x2x2xi32>
    %56 = "tt.reduce"(%55) <{axis = 0 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %89 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %89 : i32
    }) : (tensor<2x2x2xi32>) -> tensor<2x2xi32>
    %57 = tt.expand_dims %56 {axis = 0 : i32} : tensor<2x2xi32> -> tensor<1x2x2xi32>
    %58 = tt.broadcast %57 : tensor<1x2x2xi32> -> tensor<2x2x2xi32>
    %59 = arith.xori %55, %58 : tensor<2x2x2xi32>
    %60 = tt.bitcast %59 : tensor<2x2x2xi32> -> tensor<2x2x2xf32>
    %61 = arith.cmpf ogt, %54, %60 : tensor<2x2x2xf32>
    %62 = arith.cmpi ne, %26, %cst_4 : tensor<2x1x1xi32>
    %63 = tt.broadcast %62 : tensor<2x1x1xi1> -> tensor<2x2x2xi1>
    %64 = arith.cmpi ne, %61, %63 : tensor<2x2x2xi1>
    %65 = arith.select %64, %60, %54 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
    %66 = tt.bitcast %65 : tensor<2x2x2xf32> -> tensor<2x2x2xi32>
    %67 = "tt.reduce"(%66) <{axis = 1 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %89 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %89 : i32
    }) : (tensor<2x2x2xi32>) -> tensor<2x2xi32>
    %68 = tt.expand_dims %67 {axis = 1 : i32} : tensor<2x2xi32> -> tensor<2x1x2xi32>
    %69 = tt.broadcast %68 : tensor<2x1x2xi32> -> tensor<2x2x2xi32>
    %70 = arith.xori %66, %69 : tensor<2x2x2xi32>
    %71 = tt.bitcast %70 : tensor<2x2x2xi32> -> tensor<2x2x2xf32>
    %72 = arith.cmpf ogt, %65, %71 : tensor<2x2x2xf32>
    %73 = arith.cmpi ne, %10, %cst_3 : tensor<1x2x1xi32>
    %74 = tt.broadcast %73 : tensor<1x2x1xi1> -> tensor<2x2x2xi1>
    %75 = arith.cmpi ne, %72, %74 : tensor<2x2x2xi1>
    %76 = arith.select %75, %71, %65 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
    %77 = tt.bitcast %76 : tensor<2x2x2xf32> -> tensor<2x2x2xi32>
    %78 = "tt.reduce"(%77) <{axis = 2 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %89 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %89 : i32
    }) : (tensor<2x2x2xi32>) -> tensor<2x2xi32>
    %79 = tt.expand_dims %78 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %80 = tt.broadcast %79 : tensor<2x2x1xi32> -> tensor<2x2x2xi32>
    %81 = arith.xori %77, %80 : tensor<2x2x2xi32>
    %82 = tt.bitcast %81 : tensor<2x2x2xi32> -> tensor<2x2x2xf32>
    %83 = arith.cmpf ogt, %76, %82 : tensor<2x2x2xf32>
    %84 = arith.cmpi ne, %17, %cst_2 : tensor<1x1x2xi32>
    %85 = tt.broadcast %84 : tensor<1x1x2xi1> -> tensor<2x2x2xi1>
    %86 = arith.cmpi ne, %83, %85 : tensor<2x2x2xi1>
    %87 = arith.select %86, %82, %76 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
    %88 = tt.reshape %87 : tensor<2x2x2xf32> -> tensor<8xf32>
    tt.store %7, %88 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}

