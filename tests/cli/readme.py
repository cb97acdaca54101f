#!/usr/bin/env python3
"""README's commands, as somebody types them who has just built the program: each ends well, with no GPU.

Usage: readme.py LANEWORK SOURCE    the lines of README.md's blocks that call lanework; those of make are tried by a person
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LANEWORK, SOURCE = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
# What takes half a second for each rung takes less here, and what is verified by tests of its own ("verify: every rung of …") is small.
SHORTER = {"bench": " --max-time 0.005 --min-samples 3", "climb": " --max-time 0.005 --min-samples 3"}
SMALLER = {"climb matmul": "climb matmul --size 100x50x113", "size=2^10..2^20*4": "size=2^10..2^12*4"}
BLUR = """__global__ void blur(const float* in, float* out, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width;
    if (i < width * height) out[i] = (in[i - (x > 0)] + in[i] + in[i + (x < width - 1)]) / 3;
}
"""
MAKEFILE = "NVCC ?= nvcc\napp: my.cu\n\t$(NVCC) -O3 -arch=sm_90 my.cu -o app\n"


def commands():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        lines = [line for block in BLOCK.findall(file.read()) for line in block.split("\n")]
    lines = [re.sub(r"\s+# .*", "", line) for line in lines]
    return [line for line in lines if line.startswith("lanework ") or "lanework cc" in line]


def prepare(folder):
    """What README takes for granted: a program, a build, arrays."""
    shutil.copy(os.path.join(SOURCE, "examples/tutorial/mended.cu"), os.path.join(folder, "my.cu"))
    os.symlink(os.path.join(SOURCE, "examples"), os.path.join(folder, "examples"))
    os.symlink(os.path.join(SOURCE, "ops"), os.path.join(folder, "ops"))
    with open(os.path.join(folder, "blur.cu"), "w", encoding="utf-8") as file:
        file.write(BLUR)
    with open(os.path.join(folder, "Makefile"), "w", encoding="utf-8") as file:
        file.write(MAKEFILE)
    with open(os.path.join(folder, "m.raw"), "wb") as file:
        file.write(bytes(4 * 64))
    for name in ("a.npy", "b.npy"):
        subprocess.run([LANEWORK, "compute", "transpose", "m.raw", "--dtype", "float32", "--shape", "8x8", "-o", name],
                       cwd=folder, check=True, capture_output=True)


def main():
    found = commands()
    if len(found) < 14:
        sys.exit(f"README.md has {len(found)} commands; there were more")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        environment = dict(os.environ, PATH=os.path.dirname(LANEWORK) + ":" + os.environ["PATH"])
        for command in found:
            word = command.split()[1]
            quick = command + SHORTER.get(word, "")
            for whole, small in SMALLER.items():
                quick = quick.replace(whole, small)
            done = subprocess.run(["bash", "-c", quick], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400)
            if done.returncode != 0:
                failed += 1
                print(f"$ {command}\nexit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
            if word == "new":  # and what its comment says to write
                for name in ("reference.py", "naive.cu"):
                    shutil.copy(os.path.join(SOURCE, "examples/ladders/softmax", name), os.path.join(folder, "softmax", name))
                shutil.copy(os.path.join(folder, "softmax/naive.cu"), os.path.join(folder, "mine.cu"))
        for made in ("app", "edges.png", "neighbors.txt", "bonds.svg", "c.npy", "times.csv"):
            if not os.path.exists(os.path.join(folder, made)):
                failed += 1
                print(f"no command made {made}")
    sys.exit(1 if failed else 0)


main()
