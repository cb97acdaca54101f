"""Programs that nobody here wrote: their kernels' names, the halves that lot draws, and the band of estimates of their times."""
import hashlib
import pathlib
import re

ESTIMATE = pathlib.Path(__file__).resolve().parent.parent / "src/trace/analyse/estimate.cpp"


def bands():
    """How far `explain` takes its estimates to be off, as factors: {code followed: factor}, and of waits for pages, as its source says."""
    text = ESTIMATE.read_text(encoding="utf-8")
    found = re.search(r"constexpr double kFollowed = ([0-9.]+), kElse = ([0-9.]+);", text)
    faults = re.search(r"constexpr double kBandOfFaults = ([0-9.]+);", text)
    if not found or not faults:
        raise SystemExit(f"{ESTIMATE.name} has no line with kFollowed and kElse, or with kBandOfFaults: say here where the band of estimates is now")
    return {True: float(found[1]), False: float(found[2])}, float(faults[1])


def base_name(kernel):
    """`void softmax<float, 4>(float*)` is `softmax`."""
    name = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", kernel).split("(")[0].split("<")[0]
    return name.split()[-1].split("::")[-1]


def half_of(program):
    return "seen" if hashlib.md5(("times " + program).encode()).digest()[0] % 2 == 0 else "unseen"


def sizes(text):
    """`(4, 2, 1)` is [4, 2, 1]."""
    return [int(extent) for extent in re.findall(r"\d+", text)]
