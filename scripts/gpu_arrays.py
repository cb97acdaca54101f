#!/usr/bin/env python3
"""Arrays of CuPy's and JAX's on a GPU through the Python package, whichever of them are installed: are they right, on which stream, in a
CUDA graph.

Usage: PYTHONPATH=BUILD/python gpu_arrays.py OUT.json
The cases, and what is right, are those of torch_arrays.py, whose PyTorch holds the streams up. Every check is a line in the file; a wrong
result, or an error, ends it with 1 after all are written.
"""
import platform
import sys
import traceback
from datetime import datetime, timezone

import numpy as np
import torch

import lanework
import torch_arrays
import torch_timing
from compact_json import write_whole

HELD = 40_000_000  # cycles: 20 ms, in which the first call of a process has loaded its modules


def call_of(name, inputs, outputs, **options):
    function = torch_arrays.function_of(name)
    return torch_arrays.CASES[name][0](lambda *given, **rest: function(*given, **rest, **options), inputs, outputs)


class Cupy:
    """CuPy's arrays, which are read, written and made."""

    def __init__(self, cupy):
        self.cupy, self.version = cupy, cupy.__version__

    def of(self, tensor):
        return self.cupy.asarray(tensor.numpy())

    def back(self, array):
        return torch.from_numpy(np.ascontiguousarray(self.cupy.asnumpy(array)).reshape(array.shape))

    def outputs(self, shapes):
        return [self.of(one) for one in torch_arrays.outputs_of(shapes, "cpu")]

    def differs(self, name, found, right):
        return torch_arrays.differs(name, [self.back(one) for one in found], right)

    def checks(self):
        return {"out=": self.given, "new": self.new, "current stream": self.on_current, "stream=": self.on_named, "CUDA graph": self.captured}

    def given(self, name, fill, shapes):
        inputs, found = fill(), self.outputs(shapes)
        call_of(name, [self.of(one) for one in inputs], found)
        return self.differs(name, found, torch_arrays.expected(name, inputs))

    def new(self, name, fill, shapes):
        if name.endswith("of parts"):
            return ""
        inputs, function = fill(), torch_arrays.function_of(name)
        call = lambda *given, out, **options: function(*given, **options)
        found = torch_arrays.CASES[name][0](call, [self.of(one) for one in inputs], [None] * len(shapes))
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        if not all(isinstance(one, self.cupy.ndarray) for one in found):
            return f"is {', '.join(type(one).__module__ for one in found)}"
        right = torch_arrays.expected(name, inputs)
        return self.differs(name, found, torch_arrays.WITHOUT_OUT.get(name, lambda right: right)(right))

    def late(self, name, fill, shapes, call):
        """Behind work of a stream whose result is the input: a call on another stream reads what was there."""
        inputs, found, stream = fill(), self.outputs(shapes), self.cupy.cuda.Stream(non_blocking=True)
        source = [self.of(one) for one in inputs]
        late = [self.cupy.zeros_like(one) for one in source]
        self.cupy.cuda.runtime.deviceSynchronize()
        with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
            torch.cuda._sleep(HELD)
        with stream:
            for to, one in zip(late, source):
                to[...] = one
        call(stream, late, found)
        if stream.done:
            return "the stream was idle when the call returned: it has waited"
        stream.synchronize()
        return self.differs(name, found, torch_arrays.expected(name, inputs))

    def on_current(self, name, fill, shapes):
        def call(stream, late, found):
            with stream:
                call_of(name, late, found)
        return self.late(name, fill, shapes, call)

    def on_named(self, name, fill, shapes):
        return self.late(name, fill, shapes, lambda stream, late, found: call_of(name, late, found, stream=stream))

    def captured(self, name, fill, shapes):
        inputs, found, stream = [self.of(one) for one in fill()], self.outputs(shapes), self.cupy.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            call_of(name, inputs, found)
            graph = stream.end_capture()
        for _ in range(2):
            others = fill()
            with stream:
                for to, one in zip(inputs, others):
                    to[...] = self.of(one)
                for one in found:
                    one[...] = 3  # as outputs_of does: what lies beside a part stays
                graph.launch(stream)
            stream.synchronize()
            if words := self.differs(name, found, torch_arrays.expected(name, others)):
                return words
        return ""


class Jax:
    """JAX's arrays, which are read; nobody may write them, and results go to PyTorch's."""

    def __init__(self, jax):
        self.jax, self.version = jax, jax.__version__
        jax.config.update("jax_enable_x64", True)

    def checks(self):
        return {"in": self.read, "refused as out": self.refused}

    def of(self, tensor):
        return self.jax.device_put(tensor.numpy(), self.jax.devices("gpu")[0])

    def read(self, name, fill, shapes):
        inputs, found = fill(), torch_arrays.outputs_of(shapes, "cuda")
        call_of(name, [self.of(one) for one in inputs], found)
        return torch_arrays.differs(name, found, torch_arrays.expected(name, inputs))

    def refused(self, name, fill, shapes):
        outputs = [self.of(one) for one in torch_arrays.outputs_of(shapes, "cpu")]
        try:
            call_of(name, [self.of(one) for one in fill()], outputs)
        except (TypeError, ValueError):
            return ""
        return "was written"


def libraries():
    """Of both what is there, or why it is not."""
    for name, of in (("cupy", Cupy), ("jax", Jax)):
        try:
            library = of(__import__(name))
            library.of(torch.zeros(1))
            yield name, library, ""
        except Exception as error:  # not installed, or without a GPU
            yield name, None, f"{type(error).__name__}: {' '.join(str(error).split())[-300:]}"


def result_of(check, name):
    _, fill, shapes, _ = torch_arrays.CASES[name]
    try:
        return check(name, fill, shapes)
    except Exception as error:  # each is a line of the file
        traceback.print_exc()
        return f"{type(error).__name__}: {str(error).splitlines()[0][:150]}"


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    rows, versions, wrong = [], {}, 0
    cases = [name for name, (_, fill, shapes, _) in torch_arrays.CASES.items()
             if "bfloat16" not in [dtype for _, dtype in shapes] and all(one.dtype != torch.bfloat16 for one in fill())]
    for name, library, why in libraries():
        versions[name] = library.version if library else why
        for kind, check in library.checks().items() if library else ():
            for case in cases:
                words = result_of(check, case)
                wrong += bool(words)
                rows.append({"library": name, "call": case, "check": kind, "result": words or "ok"})
                if words:
                    print(f"{name}: {case}, {kind}: {words}")
    environment = {
        **versions, "torch": torch.__version__, "cuda:0 name": torch.cuda.get_device_name(0), "lanework": lanework.__version__,
        "os": platform.platform(), "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    write_whole(sys.argv[1], {"environment": environment, "checks": rows})
    print(f"{len(rows)} checks, {wrong} wrong; {versions}")
    return 1 if wrong else 0 if rows else 77


if __name__ == "__main__":
    sys.exit(main())
