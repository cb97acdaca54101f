// cuRAND's Mersenne Twister is not part of the simt device.
#error "curand_mtgp32.h: cuRAND's Mersenne Twister is not available on the simt device: a GPU is needed"
