#!/usr/bin/env python3
"""Holds the public functions on a GPU against the best rungs of their ladders, and PyTorch's own functions, in one run.

Usage: PYTHONPATH=BUILD/python torch_public.py LANEWORK OUT.json
The function is called from Python on PyTorch's tensors, cold, timed by CUDA events as torch_timing.py says; the rungs by
`lanework bench`. `over_best` is the function's median ÷ that of the fastest rung that is ours.
"""
import json
import statistics
import subprocess
import sys

import torch

import lanework
import torch_timing
from compact_json import write_whole


FAST = {  # the others of these ladders take minutes at these sizes
    ("matmul", "float32"): ["matmul/asynchronous_copies", "matmul/double_buffered", "matmul/split_floats"],
    ("matmul", "bfloat16"): ["matmul/persistent", "matmul/warp_specialized"],
}


def random(*shape, dtype=torch.float32):
    if dtype.is_floating_point:
        return torch.rand(*shape, device="cuda", dtype=dtype) * 2 - 1
    return torch.randint(0, 256, shape, device="cuda", dtype=dtype)


def empty(*shape, dtype=torch.float32):
    return torch.empty(shape, device="cuda", dtype=dtype)


def cases():
    """Operation, size and type as `lanework bench` takes them, our call, PyTorch's; tensors live for one case."""
    n = 1 << 28
    x, y, z = random(n), random(n), empty(n)
    yield "add", str(n), "float32", lambda: lanework.add(x, y, out=z), lambda: torch.add(x, y, out=z)
    yield "gelu", str(n), "float32", lambda: lanework.gelu(x, out=z), lambda: torch.nn.functional.gelu(x)
    total = empty()
    yield "reduce", str(n), "float32", lambda: lanework.reduce(x, out=total), lambda: torch.sum(x, 0, out=total)
    x = y = z = None
    raw, counts = random(n, dtype=torch.uint8), empty(256, dtype=torch.int64)
    yield "histogram", str(n), "uint8", lambda: lanework.histogram(raw, out=counts), None
    raw = None
    m, t = random(16384, 16384, dtype=torch.int32), empty(16384, 16384, dtype=torch.int32)
    yield "transpose", "16384x16384", "int32", lambda: lanework.transpose(m, out=t), lambda: m.t().contiguous()
    m = t = None
    a, b, c = random(4096, 4096), random(4096, 4096), empty(4096, 4096)
    yield "matmul", "4096x4096x4096", "float32", lambda: lanework.matmul(a, b, out=c), lambda: torch.mm(a, b, out=c)
    h, k, g = (random(4096, 4096, dtype=torch.bfloat16) for _ in range(3))
    yield "matmul", "4096x4096x4096", "bfloat16", lambda: lanework.matmul(h, k, out=g), lambda: torch.mm(h, k, out=g)
    image, out = random(2160, 3840, 3, dtype=torch.uint8), empty(2160, 3840, 3, dtype=torch.uint8)
    yield "blur", "2160x3840x3", "uint8", lambda: lanework.blur(image, out=out), None
    half = empty(1080, 1920, 3, dtype=torch.uint8)
    yield "resize", "2160x3840x1080x1920x3", "uint8", lambda: lanework.resize(image, (1080, 1920), out=half), None


def rungs(program, operation, size, dtype):
    """The medians of the ladder's rungs that are ours, least first."""
    selected = FAST.get((operation, dtype), [operation])
    run = subprocess.run([program, "bench", *selected, "--device", "cuda", "--size", size, "--dtype", dtype, "--json", "-"],
                         capture_output=True, text=True, timeout=300)
    if not run.stdout:
        return [], run.stderr.strip().splitlines()[-1]
    results = [r for r in json.loads(run.stdout)["results"] if r["verdict"] == "ok" and r["samples_s"] and not r["library"]]
    return sorted((statistics.median(r["samples_s"]), r["rung"]) for r in results), ""


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    rows = []
    for operation, size, dtype, ours, torchs in cases():
        row = {"function": operation, "size": size, "dtype": dtype}
        try:
            ours()
            row["function_s"] = statistics.median(torch_timing.cold_samples(ours))
            if torchs:
                torchs()
                row["torch_s"] = statistics.median(torch_timing.cold_samples(torchs))
            ladder, row["reason"] = rungs(sys.argv[1], operation, size, dtype)
            if ladder:
                row["best_s"], row["best"] = ladder[0]
                row["over_best"] = row["function_s"] / row["best_s"]
        except Exception as error:  # each is a line of the file
            row["reason"] = f"{type(error).__name__}: {str(error).splitlines()[0][:150]}"
        rows.append(row)
        print(row, flush=True)
    environment = {"torch": torch.__version__, "cuda": torch.version.cuda, "cuda:0 name": torch.cuda.get_device_name(0), "lanework": lanework.__version__}
    write_whole(sys.argv[2], {"environment": environment, "how": __doc__.splitlines()[0], "functions": rows})
    return 0 if all("function_s" in row for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
