/* One of the headers of the CUDA runtime: for C files they are all one. */
#include <cuda_runtime.h>
