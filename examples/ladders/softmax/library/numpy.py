# Four functions of NumPy, each of which writes a whole array or goes along its rows.
import numpy as np


def softmax(x, y):
    np.subtract(x, x.max(axis=1, keepdims=True), out=y)
    np.exp(y, out=y)
    np.divide(y, y.sum(axis=1, keepdims=True), out=y)
