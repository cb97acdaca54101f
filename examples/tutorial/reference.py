import numpy as np


def reference(x):
    return x.sum(axis=1)


def magnitudes(x):
    return np.abs(x).sum(axis=1)
