// The driver API is not part of the simt device.
#error "cudaProfiler.h: the driver API is not available on the simt device: a GPU is needed"
