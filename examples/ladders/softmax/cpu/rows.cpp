// A row after the other, its elements three times: the second and third time they are in the cache.
#include <algorithm>
#include <cmath>

void softmax(const float* x, float* y, int n, int m) {
    for (int i = 0; i < n; ++i, x += m, y += m) {
        float top = x[0];
        for (int j = 1; j < m; ++j) top = x[j] > top || std::isnan(x[j]) ? x[j] : top;
        float sum = 0;
        for (int j = 0; j < m; ++j) sum += y[j] = std::exp(x[j] - top);
        for (int j = 0; j < m; ++j) y[j] /= sum;
    }
}
