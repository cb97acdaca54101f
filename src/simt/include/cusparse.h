// cuSPARSE is not part of the simt device.
#error "cusparse.h: cuSPARSE is not available on the simt device: a GPU is needed"
