// A product in blocks, rows and columns wrapped, the inner dimension masked.
module {
  tt.func public @matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %c16_i32 = arith.constant 16 : i32
    %2 = arith.extsi %0 : i32 to i64
    %3 = arith.extsi %c16_i32 : i32 to i64
    %4 = arith.muli %2, %3 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %5 = arith.cmpi sle, %4, %c2147483647_i64 : i64
    %6 = arith.cmpi sge, %4, %c-2147483648_i64 : i64
    %7 = arith.andi %5, %6 : i1
    %8 = arith.muli %0, %c16_i32 : i32
    %9 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %10 = tt.splat %8 : i32 -> tensor<16xi32>
    %11 = arith.extsi %10 : tensor<16xi32> to tensor<16xi64>
    %12 = arith.extsi %9 : tensor<16xi32> to tensor<16xi64>
    %13 = arith.addi %11, %12 : tensor<16xi64>
    %c2147483647_i64_0 = arith.constant 2147483647 : i64
    %c-2147483648_i64_1 = arith.constant -2147483648 : i64
    %cst = arith.constant dense<2147483647> : tensor<16xi64>
    %14 = arith.cmpi sle, %13, %cst : tensor<16xi64>
    %cst_2 = arith.constant dense<-2147483648> : tensor<16xi64>
    %15 = arith.cmpi sge, %13, %cst_2 : tensor<16xi64>
    %16 = arith.andi %14, %15 : tensor<16xi1>
    %17 = arith.addi %10, %9 : tensor<16xi32>
    %18 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %19 = arith.remsi %17, %18 : tensor<16xi32>
    %c16_i32_3 = arith.constant 16 : i32
    %20 = arith.extsi %1 : i32 to i64
    %21 = arith.extsi %c16_i32_3 : i32 to i64
    %22 = arith.muli %20, %21 : i64
    %c2147483647_i64_4 = arith.constant 2147483647 : i64
    %c-2147483648_i64_5 = arith.constant -2147483648 : i64
    %23 = arith.cmpi sle, %22, %c2147483647_i64_4 : i64
    %24 = arith.cmpi sge, %22, %c-2147483648_i64_5 : i64
    %25 = arith.andi %23, %24 : i1
    %26 = arith.muli %1, %c16_i32_3 : i32
    %27 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %28 = tt.splat %26 : i32 -> tensor<16xi32>
    %29 = arith.extsi %28 : tensor<16xi32> to tensor<16xi64>
    %30 = arith.extsi %27 : tensor<16xi32> to tensor<16xi64>
    %31 = arith.addi %29, %30 : tensor<16xi64>
    %c2147483647_i64_6 = arith.constant 2147483647 : i64
    %c-2147483648_i64_7 = arith.constant -2147483648 : i64
    %cst_8 = arith.constant dense<2147483647> : tensor<16xi64>
    %32 = arith.cmpi sle, %31, %cst_8 : tensor<16xi64>
    %cst_9 = arith.constant dense<-2147483648> : tensor<16xi64>
    %33 = arith.cmpi sge, %31, %cst_9 : tensor<16xi64>
    %34 = arith.andi %32, %33 : tensor<16xi1>
    %35 = arith.addi %28, %27 : tensor<16xi32>
    %36 = tt.splat %arg4 : i32 -> tensor<16xi32>
    %37 = arith.remsi %35, %36 : tensor<16xi32>
    %38 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %39 = tt.expand_dims %19 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %40 = tt.splat %arg6 : i32 -> tensor<16x1xi32>
    %41 = arith.extsi %39 : tensor<16x1xi32> to tensor<16x1xi64>
    %42 = arith.extsi %40 : tensor<16x1xi32> to tensor<16x1xi64>
    %43 = arith.muli %41, %42 : tensor<16x1xi64>
    %c2147483647_i64_10 = arith.constant 2147483647 : i64
    %c-2147483648_i64_11 = arith.constant -2147483648 : i64
    %cst_12 = arith.constant dense<2147483647> : tensor<16x1xi64>
    %44 = arith.cmpi sle, %43, %cst_12 : tensor<16x1xi64>
    %cst_13 = arith.constant dense<-2147483648> : tensor<16x1xi64>
    %45 = arith.cmpi sge, %43, %cst_13 : tensor<16x1xi64>
    %46 = arith.andi %44, %45 : tensor<16x1xi1>
    %47 = arith.muli %39, %40 : tensor<16x1xi32>
    %48 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %49 = tt.addptr %48, %47 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %50 = tt.expand_dims %38 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %51 = tt.broadcast %49 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x16x!tt.ptr<f16>>
    %52 = tt.broadcast %50 : tensor<1x16xi32> -> tensor<16x16xi32>
    %53 = tt.addptr %51, %52 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %54 = tt.expand_dims %38 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %55 = tt.splat %arg7 : i32 -> tensor<16x1xi32>
    %56 = arith.extsi %54 : tensor<16x1xi32> to tensor<16x1xi64>
    %57 = arith.extsi %55 : tensor<16x1xi32> to tensor<16x1xi64>
    %58 = arith.muli %56, %57 : tensor<16x1xi64>
    %c2147483647_i64_14 = arith.constant 2147483647 : i64
    %c-2147483648_i64_15 = arith.constant -2147483648 : i64
    %cst_16 = arith.constant dense<2147483647> : tensor<16x1xi64>
    %59 = arith.cmpi sle, %58, %cst_16 : tensor<16x1xi64>
    %cst_17 = arith.constant dense<-2147483648> : tensor<16x1xi64>
    %60 = arith.cmpi sge, %58, %cst_17 : tensor<16x1xi64>
    %61 = arith.andi %59, %60 : tensor<16x1xi1>
    %62 = arith.muli %54, %55 : tensor<16x1xi32>
    %63 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %64 = tt.addptr %63, %62 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %65 = tt.expand_dims %37 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %66 = tt.broadcast %64 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x16x!tt.ptr<f16>>
    %67 = tt.broadcast %65 : tensor<1x16xi32> -> tensor<16x16xi32>
    %68 = tt.addptr %66, %67 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %69 = tt.call @triton.language.standard.zeros__Tc16_c16T_cfp32() : () -> tensor<16x16xf32>
    %70 = tt.call @triton.language.standard.cdiv__i32_c16(%arg5) : (i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %71 = arith.bitcast %c0_i32 : i32 to i32
    %72 = arith.bitcast %70 : i32 to i32
    %73 = arith.bitcast %c1_i32 : i32 to i32
    %74 = ub.poison : i32
    %75:3 = scf.for %arg9 = %71 to %72 step %73 iter_args(%arg10 = %53, %arg11 = %68, %arg12 = %69) -> (tensor<16x16x!tt.ptr<f16>>, tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>)  : i32 {
      %132 = tt.expand_dims %38 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %c16_i32_36 = arith.constant 16 : i32
      %133 = arith.extsi %arg9 : i32 to i64
      %134 = arith.extsi %c16_i32_36 : i32 to i64
      %135 = arith.muli %133, %134 : i64
      %c2147483647_i64_37 = arith.constant 2147483647 : i64
      %c-2147483648_i64_38 = arith.constant -2147483648 : i64
      %136 = arith.cmpi sle, %135, %c2147483647_i64_37 : i64
      %137 = arith.cmpi sge, %135, %c-2147483648_i64_38 : i64
      %138 = arith.andi %136, %137 : i1
      %139 = arith.muli %arg9, %c16_i32_36 : i32
      %140 = arith.extsi %arg5 : i32 to i64
      %141 = arith.extsi %139 : i32 to i64
      %142 = arith.subi %140, %141 : i64
      %c2147483647_i64_39 = arith.constant 2147483647 : i64
      %c-2147483648_i64_40 = arith.constant -2147483648 : i64
      %143 = arith.cmpi sle, %142, %c2147483647_i64_39 : i64
      %144 = arith.cmpi sge, %142, %c-2147483648_i64_40 : i64
      %145 = arith.andi %143, %144 : i1
      %146 = arith.subi %arg5, %139 : i32
      %147 = tt.splat %146 : i32 -> tensor<1x16xi32>
      %148 = arith.cmpi slt, %132, %147 : tensor<1x16xi32>
      %cst_41 = arith.constant 0.000000e+00 : f32
      %149 = tt.broadcast %148 : tensor<1x16xi1> -> tensor<16x16xi1>
      %cst_42 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %150 = arith.truncf %cst_42 : tensor<16x16xf32> to tensor<16x16xf16>
      %151 = tt.load %arg10, %149, %150 : tensor<16x16x!tt.ptr<f16>>
      %152 = tt.expand_dims %38 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %c16_i32_43 = arith.constant 16 : i32
      %153 = arith.extsi %arg9 : i32 to i64
      %154 = arith.extsi %c16_i32_43 : i32 to i64
      %155 = arith.muli %153, %154 : i64
      %c2147483647_i64_44 = arith.constant 2147483647 : i64
      %c-2147483648_i64_45 = arith.constant -2147483648 : i64
      %156 = arith.cmpi sle, %155, %c2147483647_i64_44 : i64
      %157 = arith.cmpi sge, %155, %c-2147483648_i64_45 : i64
      %158 = arith.andi %156, %157 : i1
      %159 = arith.muli %arg9, %c16_i32_43 : i32
      %160 = arith.extsi %arg5 : i32 to i64
      %161 = arith.extsi %159 : i32 to i64
      %162 = arith.subi %160, %161 : i64
      %c2147483647_i64_46 = arith.constant 2147483647 : i64
      %c-2147483648_i64_47 = arith.constant -2147483648 : i64
      %163 = arith.cmpi sle, %162, %c2147483647_i64_46 : i64
      %164 = arith.cmpi sge, %162, %c-2147483648_i64_47 : i64
      %165 = arith.andi %163, %164 : i1
      %166 = arith.subi %arg5, %159 : i32
      %167 = tt.splat %166 : i32 -> tensor<16x1xi32>
      %168 = arith.cmpi slt, %152, %167 : tensor<16x1xi32>
      %cst_48 = arith.constant 0.000000e+00 : f32
      %169 = tt.broadcast %168 : tensor<16x1xi1> -> tensor<16x16xi1>
      %cst_49 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %170 = arith.truncf %cst_49 : tensor<16x16xf32> to tensor<16x16xf16>
      %171 = tt.load %arg11, %169, %170 : tensor<16x16x!tt.ptr<f16>>
      %cst_50 = arith.constant 0.000000e+00 : f32
      %172 = tt.dot %151, %171, %arg12, inputPrecision = tf32 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      %c16_i32_51 = arith.constant 16 : i32
      %cst_52 = arith.constant dense<16> : tensor<16x16xi32>
      %173 = tt.addptr %arg10, %cst_52 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
      %c16_i32_53 = arith.constant 16 : i32
      %174 = arith.extsi %c16_i32_53 : i32 to i64
      %175 = arith.extsi %arg7 : i32 to i64
      %176 = arith.muli %174, %175 : i64
      %c2147483647_i64_54 = arith.constant 2147483647 : i64
      %c-2147483648_i64_55 = arith.constant -2147483648 : i64
      %177 = arith.cmpi sle, %176, %c2147483647_i64_54 : i64
      %178 = arith.cmpi sge, %176, %c-2147483648_i64_55 : i64
      %179 = arith.andi %177, %178 : i1
      %180 = arith.muli %c16_i32_53, %arg7 : i32
      %181 = tt.splat %180 : i32 -> tensor<16x16xi32>
      %182 = tt.addptr %arg11, %181 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
      scf.yield %173, %182, %172 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>
    }
    %c16_i32_18 = arith.constant 16 : i32
    %76 = arith.extsi %0 : i32 to i64
    %77 = arith.extsi %c16_i32_18 : i32 to i64
    %78 = arith.muli %76, %77 : i64
    %c2147483647_i64_19 = arith.constant 2147483647 : i64
    %c-2147483648_i64_20 = arith.constant -2147483648 : i64
    %79 = arith.cmpi sle, %78, %c2147483647_i64_19 : i64
    %80 = arith.cmpi sge, %78, %c-2147483648_i64_20 : i64
    %81 = arith.andi %79, %80 : i1
    %82 = arith.muli %0, %c16_i32_18 : i32
    %83 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %84 = tt.splat %82 : i32 -> tensor<16xi32>
    %85 = arith.extsi %84 : tensor<16xi32> to tensor<16xi64>
    %86 = arith.extsi %83 : tensor<16xi32> to tensor<16xi64>
    %87 = arith.addi %85, %86 : tensor<16xi64>
    %c2147483647_i64_21 = arith.constant 2147483647 : i64
    %c-2147483648_i64_22 = arith.constant -2147483648 : i64
    %cst_23 = arith.constant dense<2147483647> : tensor<16xi64>
    %88 = arith.cmpi sle, %87, %cst_23 : tensor<16xi64>
    %cst_24 = arith.constant dense<-2147483648> : tensor<16xi64>
    %89 = arith.cmpi sge, %87, %cst_24 : tensor<16xi64>
    %90 = arith.andi %88, %89 : tensor<16xi1>
    %91 = arith.addi %84, %83 : tensor<16xi32>
    %c16_i32_25 = arith.constant 16 : i32
    %92 = arith.extsi %1 : i32 to i64
    %93 = arith.extsi %c16_i32_25 : i32 to i64
    %94 = arith.muli %92, %93 : i64
    %c2147483647_i64_26 = arith.constant 2147483647 : i64
    %c-2147483648_i64_27 = arith.constant -2147483648 : i64
    %95 = arith.cmpi sle, %94, %c2147483647_i64_26 : i64
    %96 = arith.cmpi sge, %94, %c-2147483648_i64_27 : i64
    %97 = arith.andi %95, %96 : i1
    %98 = arith.muli %1, %c16_i32_25 : i32
    %99 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %100 = tt.splat %98 : i32 -> tensor<16xi32>
    %101 = arith.extsi %100 : tensor<16xi32> to tensor<16xi64>
    %102 = arith.extsi %99 : tensor<16xi32> to tensor<16xi64>
    %103 = arith.addi %101, %102 : tensor<16xi64>
    %c2147483647_i64_28 = arith.constant 2147483647 : i64
    %c-2147483648_i64_29 = arith.constant -2147483648 : i64
    %cst_30 = arith.constant dense<2147483647> : tensor<16xi64>
    %104 = arith.cmpi sle, %103, %cst_30 : tensor<16xi64>
    %cst_31 = arith.constant dense<-2147483648> : tensor<16xi64>
    %105 = arith.cmpi sge, %103, %cst_31 : tensor<16xi64>
    %106 = arith.andi %104, %105 : tensor<16xi1>
    %107 = arith.addi %100, %99 : tensor<16xi32>
    %108 = tt.expand_dims %91 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %109 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
    %110 = arith.cmpi slt, %108, %109 : tensor<16x1xi32>
    %111 = tt.expand_dims %107 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %112 = tt.splat %arg4 : i32 -> tensor<1x16xi32>
    %113 = arith.cmpi slt, %111, %112 : tensor<1x16xi32>
    %114 = tt.broadcast %110 : tensor<16x1xi1> -> tensor<16x16xi1>
    %115 = tt.broadcast %113 : tensor<1x16xi1> -> tensor<16x16xi1>
    %116 = arith.andi %114, %115 : tensor<16x16xi1>
    %117 = tt.expand_dims %91 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %118 = tt.splat %arg8 : i32 -> tensor<16x1xi32>
    %119 = arith.extsi %117 : tensor<16x1xi32> to tensor<16x1xi64>
    %120 = arith.extsi %118 : tensor<16x1xi32> to tensor<16x1xi64>
    %121 = arith.muli %119, %120 : tensor<16x1xi64>
    %c2147483647_i64_32 = arith.constant 2147483647 : i64
    %c-2147483648_i64_33 = arith.constant -2147483648 : i64
    %cst_34 = arith.constant dense<2147483647> : tensor<16x1xi64>
    %122 = arith.cmpi sle, %121, %cst_34 : tensor<16x1xi64>
    %cst_35 = arith.constant dense<-2147483648> : tensor<16x1xi64>
    %123 = arith.cmpi sge, %121, %cst_35 : tensor<16x1xi64>
    %124 = arith.andi %122, %123 : tensor<16x1xi1>
    %125 = arith.muli %117, %118 : tensor<16x1xi32>
    %126 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %127 = tt.addptr %126, %125 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %128 = tt.expand_dims %107 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %129 = tt.broadcast %127 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
    %130 = tt.broadcast %128 : tensor<1x16xi32> -> tensor<16x16xi32>
    %131 = tt.addptr %129, %130 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %131, %75#2, %116 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c16T_cfp32() -> tensor<16x16xf32> attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    tt.return %cst_0 : tensor<16x16xf32>
  ^bb1:  // no predecessors
    %0 = ub.poison : tensor<16x16xf32>
    tt.return %0 : tensor<16x16xf32>
  }
  tt.func private @triton.language.standard.cdiv__i32_c16(%arg0: i32) -> i32 attributes {noinline = false} {
    %c15_i32 = arith.constant 15 : i32
    %0 = arith.extsi %arg0 : i32 to i64
    %1 = arith.extsi %c15_i32 : i32 to i64
    %2 = arith.addi %0, %1 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %3 = arith.cmpi sle, %2, %c2147483647_i64 : i64
    %4 = arith.cmpi sge, %2, %c-2147483648_i64 : i64
    %5 = arith.andi %3, %4 : i1
    %6 = arith.addi %arg0, %c15_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %7 = arith.divsi %6, %c16_i32 : i32
    tt.return %7 : i32
  ^bb1:  // no predecessors
    %8 = ub.poison : i32
    tt.return %8 : i32
  }
}
