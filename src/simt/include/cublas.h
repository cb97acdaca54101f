// cuBLAS's first interface (cublas_v2.h is) is not part of the simt device.
#error "cublas.h: cuBLAS's first interface (cublas_v2.h is) is not available on the simt device: a GPU is needed"
