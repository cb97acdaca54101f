// cuComplex in a kernel: powers of a root of one.
#include <cuComplex.h>

#include <cstdio>

__global__ void powers(cuDoubleComplex root, cuDoubleComplex* out) {
    cuDoubleComplex z = make_cuDoubleComplex(1, 0);
    for (unsigned i = 0; i < threadIdx.x; ++i) z = cuCmul(z, root);
    out[threadIdx.x] = z;
}

int main() {
    cuDoubleComplex* out;
    cudaMallocManaged(&out, 9 * sizeof(cuDoubleComplex));
    powers<<<1, 9>>>(make_cuDoubleComplex(0.70710678118654757, 0.70710678118654757), out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 9; i += 2) printf("(%.3f, %.3f) ", cuCreal(out[i]) + 1e-9, cuCimag(out[i]) + 1e-9);
    const cuFloatComplex q = cuCdivf(make_cuFloatComplex(5, 5), make_cuFloatComplex(3, 4));
    printf("\n%g %g, size %g\n", q.x, q.y, cuCabsf(make_cuFloatComplex(3, 4)));
}
