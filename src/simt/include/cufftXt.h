// cuFFT is not part of the simt device.
#error "cufftXt.h: cuFFT is not available on the simt device: a GPU is needed"
