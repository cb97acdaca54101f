// NVML is not part of the simt device.
#error "nvml.h: NVML is not available on the simt device: a GPU is needed"
