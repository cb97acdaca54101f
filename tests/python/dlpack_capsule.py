"""DLPack's capsules of NumPy's arrays that say that they lie on a GPU."""
import ctypes

from lanework import gpu

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes, _new_capsule.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object
_CODES = {"i": 0, "u": 1, "f": 2, "V": 4, "c": 5}  # of DLPack; V: bfloat16 of ml_dtypes


def capsule(array, kind, device, versioned, read_only=False):
    """A capsule, and what must live as long as it does. The address is 16 bytes before the elements, which DLPack's offset makes up for."""
    size, axes = array.itemsize, ctypes.c_int64 * array.ndim
    lengths, steps = axes(*array.shape), axes(*(step // size for step in array.strides))
    tensor = gpu._Tensor(array.ctypes.data - 16, kind, device, array.ndim, _CODES[array.dtype.kind], 8 * size, 1, lengths, steps, 16)
    managed, name = (gpu._Versioned(1, 0, None, None, int(read_only), tensor), b"dltensor_versioned") if versioned else (tensor, b"dltensor")
    return _new_capsule(ctypes.addressof(managed), name, None), (lengths, steps, managed)
