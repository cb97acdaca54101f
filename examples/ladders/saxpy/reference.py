def reference(x, y, a):
    return a * x + y
