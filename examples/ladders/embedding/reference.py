def reference(token, table):
    return table[token]
