// NVRTC is not part of the simt device.
#error "nvrtc.h: NVRTC is not available on the simt device: a GPU is needed"
