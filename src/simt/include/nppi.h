// NPP is not part of the simt device.
#error "nppi.h: NPP is not available on the simt device: a GPU is needed"
