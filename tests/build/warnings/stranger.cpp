// Compilers warn of the comparison.
int count(unsigned n) {
    int found = 0;
    for (int i = 0; i < n; ++i) found += i % 3 == 0;
    return found;
}
