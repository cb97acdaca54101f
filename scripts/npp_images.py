#!/usr/bin/env python3
"""Times NPP's gray, blur and sobel as peers of ours: 8-bit, 640×480, 1080p and 4K, in Lanework's results schema.

Usage: npp_images.py OUT.json      with PyTorch for memory and events; NPP's libraries are found as programs find them
Cold times by CUDA events, as torch_timing.py takes them; inputs are uniform. NPP rounds and continues borders
in its own way, so each result says how far it is from our definition, and over which pixels that was looked at.
"""
import ctypes
import sys

import torch
from torch.nn.functional import conv2d

import torch_timing

SIZES = [(480, 640), (1080, 1920), (2160, 3840)]
REPLICATE, MIRROR = 2, 4
MASK_3X3 = 200
L1 = 1  # nppiNormL1


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class Stream(ctypes.Structure):
    """NppStreamContext"""

    _fields_ = [("stream", ctypes.c_void_p)] + [
        (name, ctypes.c_int) for name in ("device", "multiprocessors", "threads_of_multiprocessor", "threads_of_block")
    ] + [("shared_memory", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
         ("flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


def current_stream():
    device = torch.cuda.get_device_properties(0)
    return Stream(torch.cuda.current_stream().cuda_stream, 0, device.multi_processor_count,
                  device.max_threads_per_multi_processor, 1024, 48 << 10, device.major, device.minor, 0, 0)


def library(name):
    for version in (13, 12):
        try:
            return ctypes.CDLL(f"{name}.so.{version}")
        except OSError:
            continue
    print(f"npp_images.py: {name}.so.13 and .12 cannot be opened", file=sys.stderr)
    sys.exit(77)


def call(function, *arguments):
    status = function(*arguments)
    if status < 0:
        print(f"npp_images.py: {function.__name__} returned {status}", file=sys.stderr)
        sys.exit(4)


def address(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def gray_call(colours, image, out):
    height, width, _ = image.shape
    return lambda: call(colours.nppiRGBToGray_8u_C3C1R_Ctx, address(image), 3 * width, address(out), width,
                        Size(width, height), current_stream())


def blur_call(filters, image, out):
    height, width, _ = image.shape
    return lambda: call(filters.nppiFilterGaussBorder_8u_C3R_Ctx, address(image), 3 * width, Size(width, height),
                        Point(0, 0), address(out), 3 * width, Size(width, height), MASK_3X3, REPLICATE,
                        current_stream())


def derivative_call(filters, image, out):
    height, width = image.shape
    return lambda: call(filters.nppiFilterSobelVertBorder_8u16s_C1R_Ctx, address(image), width, Size(width, height),
                        Point(0, 0), address(out), 2 * width, Size(width, height), MASK_3X3, REPLICATE,
                        current_stream())


def magnitude_call(filters, image, out):
    """|Gx| + |Gy| as 16 bits: the nearest that NPP has to half_sum in one call."""
    height, width = image.shape
    nothing = ctypes.c_void_p(0)
    return lambda: call(filters.nppiGradientVectorSobelBorder_8u16s_C1R_Ctx, address(image), width,
                        Size(width, height), Point(0, 0), nothing, 0, nothing, 0, address(out), 2 * width, nothing, 0,
                        Size(width, height), MASK_3X3, L1, REPLICATE, current_stream())


def window_sum(image, weights):
    """Of every channel, over the inner pixels; exact in float."""
    planes = image.reshape(image.shape[0], image.shape[1], -1).permute(2, 0, 1).unsqueeze(1).float()
    kernel = torch.tensor(weights, dtype=torch.float32, device="cuda").reshape(1, 1, 3, 3)
    return conv2d(planes, kernel).squeeze(1).permute(1, 2, 0).squeeze(-1).int()


def inner(out):
    return out[1:-1, 1:-1].int()


def differences(found, right):
    worst = int((found - right).abs().max())
    share = float((found != right).float().mean())
    return f"at most {worst} from our definition, {100 * share:.3f} % of the samples compared differ"


GAUSS = [1, 2, 1, 2, 4, 2, 1, 2, 1]
GX, GY = [-1, 0, 1, -2, 0, 2, -1, 0, 1], [-1, -2, -1, 0, 0, 0, 1, 2, 1]


def cases(colours, filters, height, width):
    """(operation, variant, bytes moved, body, what the result is compared with) for one size."""
    image = torch.randint(0, 256, (height, width, 3), dtype=torch.uint8, device="cuda")
    plane = image[:, :, 0].contiguous()
    gray, blurred = torch.empty_like(plane), torch.empty_like(image)
    words = torch.empty((height, width), dtype=torch.int16, device="cuda")
    pixels = height * width
    weights = torch.tensor([9798, 19235, 3735], dtype=torch.int32, device="cuda")
    yield ("gray", "opencv", 4 * pixels, gray_call(colours, image, gray),
           lambda: differences(gray.int(), ((image.int() * weights).sum(2) + (1 << 14)) >> 15))
    yield ("blur", "", 6 * pixels, blur_call(filters, image, blurred),
           lambda: differences(inner(blurred), (window_sum(image, GAUSS) + 8) >> 4) + ", inside the border")
    # NPP's Sobel is turned by half a turn, so signs may be the other way round.
    yield ("sobel", "gx", 3 * pixels, derivative_call(filters, plane, words),
           lambda: differences(inner(words).abs(), window_sum(plane, GX).abs()) + ", inside the border, without signs")
    yield ("sobel", "half_sum", 3 * pixels, magnitude_call(filters, plane, words),
           lambda: differences(inner(words), window_sum(plane, GX).abs() + window_sum(plane, GY).abs()) +
           ", inside the border, before it is halved and stored as 8 bits")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    colours, filters = library("libnppicc"), library("libnppif")
    results = []
    for height, width in SIZES:
        for operation, variant, moved, body, compare in cases(colours, filters, height, width):
            body()
            torch.cuda.synchronize()
            said = compare()
            problem = {"height": height, "width": width}
            if variant:
                problem["variant"] = variant
            entry = torch_timing.result(operation, "uint8", problem, moved, torch_timing.cold_samples(body))
            results.append(entry | {"rung": "npp", "reason": said})
            median = sorted(entry["samples_s"])[len(entry["samples_s"]) // 2]
            print(f"{operation} {variant} {width}×{height}: {1e6 * median:.1f} µs; {said}", file=sys.stderr)
    torch_timing.write(sys.argv[1], results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
