// cuBLASXt is not part of the simt device.
#error "cublasXt.h: cuBLASXt is not available on the simt device: a GPU is needed"
