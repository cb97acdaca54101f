import numpy as np


def reference(x):
    y = np.fft.fft(x[:, 0::2] + 1j * x[:, 1::2], axis=1)
    return np.stack([y.real, y.imag], axis=2)
