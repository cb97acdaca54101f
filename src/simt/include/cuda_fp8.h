// Numbers of 8 bits are not part of the simt device.
#error "cuda_fp8.h: numbers of 8 bits are not available on the simt device: a GPU is needed"
