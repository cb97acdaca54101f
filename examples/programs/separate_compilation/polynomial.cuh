// What polynomial.cu defines for other files: a function, a variable and a constant of the device.
#pragma once

__device__ float polynomial(float x);
extern __device__ float leading;
extern __constant__ float coefficients[3];
