import numpy as np


def reference(x):
    kept = np.zeros_like(x)
    positive = x[x > 0]
    kept[: positive.size] = positive
    return {"kept": kept, "count": [positive.size]}


def compare(x, found_kept, found_count):
    # Blocks come to their places in any order: every order is right, and what lies behind the last is nobody's.
    positive = np.sort(x[x > 0])
    if found_count[0] != positive.size:
        return f"count is {found_count[0]} where {positive.size} elements are positive"
    found = np.sort(found_kept[: positive.size])
    if not np.array_equal(found, positive):
        first = np.flatnonzero(found != positive)[0]
        return f"sorted, kept[{first}] is {found[first]} where {positive[first]} is right"
    return None
