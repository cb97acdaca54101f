// Tensor cores (nvcuda::wmma) are not part of the simt device.
#error "mma.h: tensor cores (wmma) are not available on the simt device: a GPU is needed"
