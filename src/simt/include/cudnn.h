// cuDNN is not part of the simt device.
#error "cudnn.h: cuDNN is not available on the simt device: a GPU is needed"
