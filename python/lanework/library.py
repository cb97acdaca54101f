"""The shared library that the package calls, opened once, and the kinds of its errors."""
import ctypes
import os

LIBRARY = "liblanework_c.so"
ERRORS = {1: ValueError, 2: MemoryError, 3: RuntimeError}  # lanework_error of python/native/errors.hpp


def _open_library():
    path = os.environ.get("LANEWORK_LIBRARY", os.path.join(os.path.dirname(os.path.abspath(__file__)), LIBRARY))
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"{LIBRARY} could not be opened ({error}); `pip install .` in a checkout builds it, or cmake --build … --target "
            "lanework_c, which makes a package in the build folder's python/; LANEWORK_LIBRARY may name it"
        ) from error


library = _open_library()
library.lanework_version.argtypes = []
library.lanework_version.restype = ctypes.c_char_p
version = library.lanework_version().decode()
library.lanework_message.argtypes = []
library.lanework_message.restype = ctypes.c_char_p


def require(status):
    """Raises what a function of the library says by the lanework_error that it returned."""
    if status:
        raise ERRORS[status](library.lanework_message().decode(errors="replace"))
