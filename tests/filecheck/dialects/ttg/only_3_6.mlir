// The barrier of local memory had a name of its own in Triton 3.6.
// RUN: xtriton-opt %s | xtriton-opt | filecheck %s
// RUN: xtriton-opt %s --triton-version=3.9 | filecheck %s --check-prefix=TODAY

// CHECK-LABEL: tt.func @barrier
// CHECK-NEXT:    ttg.local_barrier
// TODAY-LABEL: tt.func @barrier
// TODAY-NEXT:    ttg.barrier local
tt.func @barrier() {
  ttg.local_barrier
  tt.return
}
