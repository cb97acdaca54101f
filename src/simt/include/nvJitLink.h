// Linking at run time is not part of the simt device.
#error "nvJitLink.h: linking at run time is not available on the simt device: a GPU is needed"
