// EGL interoperability is not part of the simt device.
#error "cuda_egl_interop.h: EGL interoperability is not available on the simt device: a GPU is needed"
