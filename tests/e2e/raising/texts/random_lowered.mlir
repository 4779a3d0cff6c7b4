tt.func public @kernel(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dst: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %m: i32, %s: i32, %d: i32) {
%pid = tt.get_program_id x : i32
%v1 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
%v2 = arith.constant 1 : i32
%v3 = arith.muli %pid, %v2 : i32
%v4 = tt.splat %v3 : i32 -> tensor<1xi32>
%v5 = arith.addi %v4, %v1 : tensor<1xi32>
%v6 = arith.constant dense<11> : tensor<1xi32>
%v7 = arith.divsi %v5, %v6 : tensor<1xi32>
%v8 = arith.constant dense<3> : tensor<1xi32>
%v9 = arith.muli %v7, %v8 : tensor<1xi32>
%v10 = arith.remsi %v5, %v6 : tensor<1xi32>
%v11 = arith.addi %v9, %v10 : tensor<1xi32>
%v12 = tt.expand_dims %v11 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
%v13 = tt.broadcast %v12 : tensor<1x1xi32> -> tensor<1x16xi32>
%v14 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
%v15 = tt.splat %n : i32 -> tensor<16xi32>
%v16 = arith.addi %v14, %v15 : tensor<16xi32>
%v17 = arith.constant 0 : i32
%v18 = arith.subi %s, %v17 : i32
%v19 = tt.splat %v18 : i32 -> tensor<16xi32>
%v20 = arith.minsi %v16, %v19 : tensor<16xi32>
%v21 = tt.splat %s : i32 -> tensor<16xi32>
%v22 = arith.subi %v21, %v20 : tensor<16xi32>
%v23 = tt.expand_dims %v22 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
%v24 = arith.addi %v13, %v23 : tensor<1x16xi32>
%v25 = tt.splat %a : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
%v26 = tt.addptr %v25, %v24 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
%v27 = arith.cmpi slt, %n, %n : i32
%v28 = tt.splat %v27 : i1 -> tensor<1x16xi1>
%v29 = arith.cmpi slt, %m, %s : i32
%v30 = tt.splat %v29 : i1 -> tensor<1x16xi1>
%v31 = arith.constant 0 : i32
%v32 = arith.constant 8 : i32
%v33 = arith.cmpi eq, %v31, %v32 : i32
%v34 = tt.splat %v33 : i1 -> tensor<1x16xi1>
%v35 = arith.andi %v30, %v34 : tensor<1x16xi1>
%v36 = arith.andi %v28, %v35 : tensor<1x16xi1>
%v37 = arith.constant dense<2.5> : tensor<1x16xf32>
%v38 = tt.load %v26, %v36, %v37 : tensor<1x16x!tt.ptr<f32>>
%v39 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
%v40 = tt.reshape %v39 : tensor<16xi32> -> tensor<1x16xi32>
%v41 = arith.constant 262144 : i32
%v42 = arith.muli %pid, %v41 : i32
%v43 = arith.constant 4096 : i32
%v44 = arith.addi %v42, %v43 : i32
%v45 = tt.addptr %out, %v44 : !tt.ptr<f32>, i32
%v46 = tt.splat %v45 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
%v47 = tt.addptr %v46, %v40 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
tt.store %v47, %v38 : tensor<1x16x!tt.ptr<f32>>
tt.return
}
