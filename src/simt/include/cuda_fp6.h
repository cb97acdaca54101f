// Numbers of 6 bits are not part of the simt device.
#error "cuda_fp6.h: numbers of 6 bits are not available on the simt device: a GPU is needed"
