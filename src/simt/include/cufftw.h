// cuFFT is not part of the simt device.
#error "cufftw.h: cuFFT is not available on the simt device: a GPU is needed"
