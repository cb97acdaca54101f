// nvJPEG is not part of the simt device.
#error "nvjpeg.h: nvJPEG is not available on the simt device: a GPU is needed"
