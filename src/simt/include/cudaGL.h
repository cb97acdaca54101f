// OpenGL interoperability is not part of the simt device.
#error "cudaGL.h: OpenGL interoperability is not available on the simt device: a GPU is needed"
