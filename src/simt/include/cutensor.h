// cuTENSOR is not part of the simt device.
#error "cutensor.h: cuTENSOR is not available on the simt device: a GPU is needed"
