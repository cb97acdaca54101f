// cuSPARSE is not part of the simt device.
#error "cusparse_v2.h: cuSPARSE is not available on the simt device: a GPU is needed"
