// OpenGL interoperability is not part of the simt device.
#error "cuda_gl_interop.h: OpenGL interoperability is not available on the simt device: a GPU is needed"
