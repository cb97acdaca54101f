import numpy as np


def reference(x):
    return np.sort(x, axis=1)
