"""Times PyTorch's functions as Lanework times rungs, and writes Lanework's results schema: what torch_*.py share."""
import platform
import sys
import time
from datetime import datetime, timezone

import torch

from compact_json import write_whole

SAMPLES = 50
ATTEMPTS = 3  # to queue a call before the device comes to it: one that waits for the device cannot be
CYCLES_PER_SECOND = 2e9  # or fewer: the device is then held a little longer


def require_gpu():
    """Ends the program with the status for "nothing here can run it" where PyTorch sees no GPU."""
    if not torch.cuda.is_available():
        print(f"{sys.argv[0]}: PyTorch sees no GPU", file=sys.stderr)
        sys.exit(77)


def cold_samples(body):
    """Seconds of each call of `body` by CUDA events, after twice the L2 has been read: each is queued whole before the
    device comes to it, and nothing behind it."""
    zeros = torch.zeros(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4, dtype=torch.int32, device="cuda")
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    samples, held, attempts = [], 0.0, ATTEMPTS
    while len(samples) < SAMPLES:
        began = time.perf_counter()
        torch.cuda._sleep(int(held * CYCLES_PER_SECOND))
        zeros.any()
        start.record()
        body()
        stop.record()
        queued_in_time = not start.query()
        spent = time.perf_counter() - began
        torch.cuda.synchronize()
        if queued_in_time or attempts == 0:
            samples.append(start.elapsed_time(stop) * 1e-3)
        else:
            held, attempts = 2 * spent, attempts - 1
    return samples


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
    write_whole(path, document)
