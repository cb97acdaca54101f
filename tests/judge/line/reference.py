def reference(x):
    return 3 * x + 1
