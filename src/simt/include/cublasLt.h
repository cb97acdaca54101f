// cuBLASLt is not part of the simt device.
#error "cublasLt.h: cuBLASLt is not available on the simt device: a GPU is needed"
