// The device code that another file's kernel calls.
#include "polynomial.cuh"

__device__ float leading = 2;
__constant__ float coefficients[3] = {1, 0.5F, -1};

__device__ float polynomial(float x) {
    return ((leading * x + coefficients[0]) * x + coefficients[1]) * x + coefficients[2];
}
