"""Programs that nobody here wrote: their kernels' names, and the halves that lot draws."""
import hashlib
import re


def base_name(kernel):
    """`void softmax<float, 4>(float*)` is `softmax`."""
    name = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", kernel).split("(")[0].split("<")[0]
    return name.split()[-1].split("::")[-1]


def half_of(program):
    return "seen" if hashlib.md5(("times " + program).encode()).digest()[0] % 2 == 0 else "unseen"


def sizes(text):
    """`(4, 2, 1)` is [4, 2, 1]."""
    return [int(extent) for extent in re.findall(r"\d+", text)]
