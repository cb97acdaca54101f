// cuFFT is not part of the simt device.
#error "cufft.h: cuFFT is not available on the simt device: a GPU is needed"
