"""Times PyTorch's functions as Lanework times rungs, and writes Lanework's results schema: what torch_*.py share."""
import json
import platform
import sys
from datetime import datetime, timezone

import torch

SAMPLES = 50


def require_gpu():
    """Ends the program with the status for "nothing here can run it" where PyTorch sees no GPU."""
    if not torch.cuda.is_available():
        print(f"{sys.argv[0]}: PyTorch sees no GPU", file=sys.stderr)
        sys.exit(77)


def cold_samples(body):
    """Seconds of each call of `body` by CUDA events, after twice the L2 has been overwritten."""
    evictor = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    marks = []
    for _ in range(SAMPLES):
        evictor.zero_()
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        body()
        stop.record()
        marks.append((start, stop))
    torch.cuda.synchronize()
    return [start.elapsed_time(stop) * 1e-3 for start, stop in marks]


def result(operation, dtype, problem, moved_bytes, samples):
    """One entry of "results"; `moved_bytes` is what the operation must read and write at least."""
    return {
        "operation": operation,
        "rung": "torch",
        "device": "cuda:0",
        "dtype": dtype,
        "problem": problem,
        "verdict": "ok",
        "reason": "",
        "samples_s": samples,
        "work": {"bytes": moved_bytes, "flops": 0},
        "limit": None,
        "library": True,
        "counters": {},
        "findings": [],
    }


def write(path, results):
    document = {
        "schema": 1,
        "environment": {
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "cuda:0 name": torch.cuda.get_device_name(0),
            "os": platform.platform(),
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
        "results": results,
    }
    with open(path, "w", encoding="utf-8") as out:
        json.dump(document, out, indent=1)
        out.write("\n")
