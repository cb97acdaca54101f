// cuSOLVER is not part of the simt device.
#error "cusolverMg.h: cuSOLVER is not available on the simt device: a GPU is needed"
