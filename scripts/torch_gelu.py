#!/usr/bin/env python3
"""Times PyTorch's gelu as a peer of `gelu`: both variants, three types, in Lanework's results schema.

Usage: torch_gelu.py [N] OUT.json      N elements; 2^28 unless given, as `gelu` is timed on a GPU
Cold times by CUDA events, after twice the L2 has been overwritten; inputs are uniform in [-8, 8); every result is checked
against double, to the tolerance of ops/gelu/operation.cpp.
"""
import math
import sys

import torch
from torch.nn.functional import gelu

import torch_timing

FORMS = {"erf": "none", "tanh": "tanh"}  # the variant's name here and there
STEPS = {torch.float32: 0.0, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}  # of a value just above a power of two
CHUNK = 2**24  # elements that are checked at a time


def reference(x, form):
    if form == "erf":
        return x / 2 * torch.special.erfc(-x * math.sqrt(0.5))
    return x / 2 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def is_right(x, y, form):
    absolute = 5e-7 + (2.0**-24 if x.dtype == torch.float16 else 0.0)
    for part, result in zip(x.split(CHUNK), y.split(CHUNK)):
        right = reference(part.double(), form).to(x.dtype).double()
        if not torch.allclose(result.double(), right, rtol=1e-6 + STEPS[x.dtype], atol=absolute):
            return False
    return True


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    n = int(sys.argv[1]) if len(sys.argv) == 3 else 2**28
    torch_timing.require_gpu()
    results = []
    for dtype in STEPS:
        name = str(dtype).removeprefix("torch.")
        x = (16 * torch.rand(n, device="cuda") - 8).to(dtype)
        for form, approximate in FORMS.items():
            if not is_right(x, gelu(x, approximate=approximate), form):
                print(f"torch_gelu.py: PyTorch's result is wrong: {form}, {name}", file=sys.stderr)
                return 1
            samples = torch_timing.cold_samples(lambda: gelu(x, approximate=approximate))
            moved = 2 * x.element_size() * n
            results.append(torch_timing.result("gelu", name, {"n": n, "variant": form}, moved, samples))
    torch_timing.write(sys.argv[-1], results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
