import numpy as np


def reference(token, gradient, table):
    result = table.copy()
    np.add.at(result, token, gradient)
    return result
