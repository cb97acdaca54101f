// NCCL is not part of the simt device.
#error "nccl.h: NCCL is not available on the simt device: a GPU is needed"
