import numpy as np


def reference(x, label, n):
    top = x.max(axis=1)
    return top + np.log(np.exp(x - top[:, None]).sum(axis=1)) - x[np.arange(n), label]
