// cuSOLVER is not part of the simt device.
#error "cusolver_common.h: cuSOLVER is not available on the simt device: a GPU is needed"
