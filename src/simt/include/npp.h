// NPP is not part of the simt device.
#error "npp.h: NPP is not available on the simt device: a GPU is needed"
