// CUPTI is not part of the simt device.
#error "cupti.h: CUPTI is not available on the simt device: a GPU is needed"
