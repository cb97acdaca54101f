// cuSOLVER is not part of the simt device.
#error "cusolverSp.h: cuSOLVER is not available on the simt device: a GPU is needed"
