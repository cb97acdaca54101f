#!/usr/bin/env python3
"""Holds every image function against OpenCV's own on random shapes, and says which results are the same bytes.

Usage: opencv_bytes.py BUILD OUT.txt CASES [PYTHON …]
    BUILD   a build folder with the Python package (target lanework_c)
    CASES   of every function and type
    PYTHON  interpreters that have NumPy and OpenCV, one for each version of it; this one if none is named

Shapes are from 1×1 on, of 1, 3 and 4 channels where both take them; a third are noise, a third of one value or extremes, a third
smooth. Exits 1 where a result differs that docs/image-arithmetic.md says to be equal. At last OpenCV's warp is held against
itself: on a processor that fuses no products and sums, and where the same pixels lie in rows that end elsewhere.
"""
import datetime
import os
import pickle
import subprocess
import sys
import tempfile

SEED, MISMATCH = 20, 3
EQUAL_IN_4 = {"gray", "blur", "sobel x", "sobel y", "resize", "resize by half", "warp"}
EQUAL_IN_5 = EQUAL_IN_4 - {"warp"}


def picture(random, shape, dtype, kind):
    import numpy

    if kind == 0:
        values = random.integers(0, 256, shape)
    elif kind == 1:
        values = random.choice([0, 255], shape) if random.integers(2) else numpy.full(shape, random.integers(0, 256))
    else:
        along = sum(numpy.arange(n).reshape([-1 if k == a else 1 for a in range(len(shape))]) * random.uniform(0, 3)
                    for k, n in enumerate(shape))
        values = (along % 256).astype(numpy.int64)
    return values.astype(numpy.uint8) if dtype == "uint8" else (values / 255).astype(numpy.float32)


def transform(random, width, height, farthest):
    """A turn, a scale and a shift."""
    import cv2

    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), random.uniform(-180, 180), random.uniform(0.3, 3))
    matrix[:, 2] += random.uniform(-farthest, farthest, 2)
    return matrix


def compared(name, random, image, size):
    """Ours and OpenCV's."""
    import cv2
    import lanework
    import numpy

    height, width = size
    depth = cv2.CV_16S if image.dtype == "uint8" else cv2.CV_32F
    if name == "gray":
        code = cv2.COLOR_RGB2GRAY if image.shape[2] == 3 else cv2.COLOR_RGBA2GRAY
        return lanework.gray(image), cv2.cvtColor(image, code)
    if name == "blur":
        return lanework.blur(image), cv2.GaussianBlur(image, (3, 3), 0)
    if name.startswith("sobel"):
        return lanework.sobel_derivative(image, name[-1]), cv2.Sobel(image, depth, int(name[-1] == "x"), int(name[-1] == "y"))
    if name == "resize by half":
        image = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2].copy()
        height, width = image.shape[0] // 2, image.shape[1] // 2
    if name.startswith("resize"):
        return lanework.resize(image, (height, width)), cv2.resize(image, (width, height))
    matrix = transform(random, image.shape[1], image.shape[0], 20)
    if name == "warp far away":  # the first pixels of the input, seen from 2²⁰ … 2²³ pixels off
        x = 2.0 ** random.uniform(20, 23)
        scale = x / random.uniform(1, max(width - 1, 2))
        matrix = numpy.array([[1 / scale, 0, random.uniform(-2, 2)], [0, 1, 0]])
    border = tuple(int(v) for v in random.integers(0, 256, 4)) if image.dtype == "uint8" else (0.25, 0.5, 0.75, 1)
    channels = 1 if image.ndim == 2 else image.shape[2]
    warped = cv2.warpAffine(image, matrix, (width, height), borderValue=border)
    return lanework.warp(image, matrix, size, border=border[:channels]), warped


def outcomes(cases):
    import numpy

    for dtype in ("uint8", "float32"):
        for name in ("gray", "blur", "sobel x", "sobel y", "resize", "resize by half", "warp", "warp far away"):
            for channels in (1, 3, 4):
                if name == "gray" and channels == 1:
                    continue
                random = numpy.random.default_rng([SEED, channels])
                differ, samples, most, compared_cases = 0, 0, 0.0, 0
                for case in range(cases):
                    low = 2 if name == "resize by half" else 1
                    most_side = 40 if case % 2 else 300
                    shape = tuple(int(v) for v in random.integers(low, most_side, 2))
                    size = tuple(int(v) for v in random.integers(1, most_side, 2))
                    image = picture(random, shape if channels == 1 else (*shape, channels), dtype, case % 3)
                    ours, theirs = compared(name, random, image, size)
                    apart = numpy.abs(ours.astype(numpy.float64) - theirs.reshape(ours.shape))
                    compared_cases += 1
                    differ += bool(apart.any())
                    samples += int(numpy.count_nonzero(apart))
                    most = max(most, float(apart.max()))
                yield dtype, name, channels, compared_cases, differ, samples, most


def warps(cases):
    """OpenCV's warps of random pictures, whole and, the same pixels of them, in rows that end a few pixels earlier."""
    import cv2
    import numpy

    for dtype in ("uint8", "float32"):
        for channels in (1, 3, 4):
            random = numpy.random.default_rng([SEED, channels])
            for case in range(cases):
                shape, (height, width) = random.integers(8, 200, 2), random.integers(40, 200, 2)
                image = picture(random, shape if channels == 1 else (*shape, channels), dtype, case % 3)
                matrix = transform(random, shape[1], shape[0], 20)
                shorter = int(width - random.integers(1, 33))
                yield (dtype, channels, cv2.warpAffine(image, matrix, (int(width), int(height))),
                       cv2.warpAffine(image, matrix, (shorter, int(height))))


def against_itself(cases):
    """For each type and number of channels: how many warps differ, and by how much, without FMA and in shorter rows."""
    import numpy

    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([sys.executable, os.path.abspath(__file__), "--warps", file.name, str(cases)], check=True,
                       env=dict(os.environ, OPENCV_CPU_DISABLE="AVX2,FMA3"))
        unfused = pickle.load(file)
    found = {}
    for (dtype, channels, whole, shorter), (*_, plain, _) in zip(warps(cases), unfused):
        for k, other in enumerate((plain, shorter)):
            apart = numpy.abs(whole[:, : other.shape[1]].astype(numpy.float64) - other)
            differ, most = found.setdefault((dtype, channels), [(0, 0.0), (0, 0.0)])[k]
            found[dtype, channels][k] = differ + bool(apart.any()), max(most, float(apart.max()))
    return found


def here(build, cases):
    sys.path.insert(0, os.path.join(os.path.abspath(build), "python"))
    import cv2
    import lanework
    import numpy

    print(f"OpenCV {cv2.__version__} from Python, IPP {'on' if cv2.ipp.useIPP() else 'off'}; lanework {lanework.__version__}, "
          f"NumPy {numpy.__version__}")
    print(f"{'samples':8} {'function':15} {'channels':>8} {'cases':>6} {'differ':>6} {'samples that do':>15} {'by at most':>10}")
    failed = 0
    equal = EQUAL_IN_4 if int(cv2.__version__.split(".")[0]) == 4 else EQUAL_IN_5
    for dtype, name, channels, number, differ, samples, most in outcomes(cases):
        print(f"{dtype:8} {name:15} {channels:8} {number:6} {differ:6} {samples:15} {most:10.3g}")
        failed |= dtype == "uint8" and name in equal and differ > 0
    print(f"\nwarpAffine held against itself, {cases} cases each: how many differ, by at most")
    print(f"{'samples':8} {'channels':>8} {'without FMA':>18} {'in shorter rows':>18}")
    for (dtype, channels), ways in against_itself(cases).items():
        print(f"{dtype:8} {channels:8} " + " ".join(f"{differ:7} {most:10.3g}" for differ, most in ways))
    print()
    return MISMATCH if failed else 0


def main(arguments):
    if arguments[:1] == ["--here"]:
        return here(arguments[1], int(arguments[2]))
    if arguments[:1] == ["--warps"]:
        with open(arguments[1], "wb") as file:
            pickle.dump(list(warps(int(arguments[2]))), file)
        return 0
    if len(arguments) < 3:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    build, out, cases, *pythons = arguments
    os.makedirs(os.path.dirname(out) or ".", exist_ok=True)
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    text, status = f"`scripts/opencv_bytes.py BUILD OUT {cases}`, {datetime.date.today()}, {cpu}.\n\n", 0
    for python in pythons or [sys.executable]:
        made = subprocess.run([python, os.path.abspath(__file__), "--here", build, cases], stdout=subprocess.PIPE, text=True)
        if made.returncode not in (0, MISMATCH):
            sys.exit(f"{python}: exit status {made.returncode}; pip install numpy opencv-python, and build lanework_c")
        text, status = text + made.stdout, max(status, made.returncode)
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(text.rstrip("\n") + "\n")
    os.replace(out + ".new", out)
    print(text)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
