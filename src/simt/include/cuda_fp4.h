// Numbers of 4 bits are not part of the simt device.
#error "cuda_fp4.h: numbers of 4 bits are not available on the simt device: a GPU is needed"
