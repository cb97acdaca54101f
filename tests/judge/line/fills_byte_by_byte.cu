// expect: computed_by_host
// The host computes, and each fill carries one byte of it: to a trace the device writes.
#include <cstring>
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    for (int i = 0; i < n; ++i) {
        const float value = 3 * x[i] + 1;
        unsigned char bytes[4];
        std::memcpy(bytes, &value, 4);
        for (int b = 0; b < 4; ++b) cudaMemsetAsync(reinterpret_cast<char*>(y + i) + b, bytes[b], 1, stream);
    }
}
