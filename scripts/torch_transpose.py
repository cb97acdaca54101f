#!/usr/bin/env python3
"""Times PyTorch's t().contiguous() as a peer of `transpose`, in Lanework's results schema.

Usage: torch_transpose.py ROWSxCOLS OUT.json
Cold times by CUDA events, after twice the L2 has been overwritten; inputs are random; the result is checked.
"""
import json
import platform
import sys
from datetime import datetime, timezone

import torch

SAMPLES = 50


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    rows, cols = (int(length) for length in sys.argv[1].split("x"))
    if not torch.cuda.is_available():
        print("torch_transpose.py: PyTorch sees no GPU", file=sys.stderr)
        return 77
    matrix = torch.randint(-(2**31), 2**31 - 1, (rows, cols), dtype=torch.int32, device="cuda")
    evictor = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    result = matrix.t().contiguous()
    if not torch.equal(result.t(), matrix):
        print("torch_transpose.py: PyTorch's result is wrong", file=sys.stderr)
        return 1
    marks = []
    for _ in range(SAMPLES):
        evictor.zero_()
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        matrix.t().contiguous()
        stop.record()
        marks.append((start, stop))
    torch.cuda.synchronize()
    samples = [start.elapsed_time(stop) * 1e-3 for start, stop in marks]
    document = {
        "schema": 1,
        "environment": {
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "cuda:0 name": torch.cuda.get_device_name(0),
            "os": platform.platform(),
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
        "results": [
            {
                "operation": "transpose",
                "rung": "torch",
                "device": "cuda:0",
                "dtype": "int32",
                "problem": {"rows": rows, "cols": cols},
                "verdict": "ok",
                "reason": "",
                "samples_s": samples,
                "work": {"bytes": 8 * rows * cols, "flops": 0},
                "limit": None,
                "library": True,
                "counters": {},
                "findings": [],
            }
        ],
    }
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        json.dump(document, out, indent=1)
        out.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
