#!/usr/bin/env python3
"""Times PyTorch's t().contiguous() as a peer of `transpose`, in Lanework's results schema.

Usage: torch_transpose.py ROWSxCOLS OUT.json
Cold times by CUDA events, after twice the L2 has been overwritten; inputs are random; the result is checked.
"""
import sys

import torch

import torch_timing


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    rows, cols = (int(length) for length in sys.argv[1].split("x"))
    torch_timing.require_gpu()
    matrix = torch.randint(-(2**31), 2**31 - 1, (rows, cols), dtype=torch.int32, device="cuda")
    result = matrix.t().contiguous()
    if not torch.equal(result.t(), matrix):
        print("torch_transpose.py: PyTorch's result is wrong", file=sys.stderr)
        return 1
    samples = torch_timing.cold_samples(lambda: matrix.t().contiguous())
    problem = {"rows": rows, "cols": cols}
    torch_timing.write(
        sys.argv[2], [torch_timing.result("transpose", "int32", problem, 8 * rows * cols, samples)]
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
