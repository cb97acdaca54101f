// Barriers of CUDA 11's interface (libcu++ has cuda::barrier) are not part of the simt device.
#error \
    "cuda_awbarrier_primitives.h: barriers of CUDA 11's interface (libcu++ has cuda::barrier) are not available on the simt device: a GPU is needed"
