// Arguments of a launch become the kernel's parameters as in any call: NULL and 0 are pointers, a list in braces is an
// object, what is left out has its default.
#include <cstdio>

struct Range {
    int first, last;
};

__global__ void fill(int* out, Range range, int value = 1) {
    const int i = range.first + threadIdx.x;
    if (i < range.last) out[i] = value;
}

__global__ void scale(int* out, const int* factors, long long by, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] *= factors == nullptr ? int(by) : factors[i];
}

// Which of the two a launch is of follows from its arguments.
__global__ void set(int* out, int value) { *out = value; }
__global__ void set(int* out, double value) { *out = int(value * 10); }

// What 0, NULL and a list in braces are does, too.
__global__ void copy(int* out, const int* from, Range range) {
    const int i = range.first + threadIdx.x;
    if (i < range.last) out[i] = from == nullptr ? 0 : from[i];
}
__global__ void copy(float* out, const float* from, Range range) {
    const int i = range.first + threadIdx.x;
    if (i < range.last) out[i] = from == nullptr ? 0 : from[i];
}

// And so does the type here.
template <int kTimes, class T>
__global__ void add(T* out, T value) {
    atomicAdd(out, kTimes * value);
}

template <class T>
__global__ void add_where(T* out, const bool* wanted, T value, Range range) {
    const int i = range.first + threadIdx.x;
    if (i < range.last && (wanted == nullptr || wanted[i])) out[i] += value;
}

void show(const int* numbers, int n) {
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) std::printf("%d ", numbers[i]);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

int main() {
    constexpr int kCount = 8;
    int* numbers = nullptr;
    cudaMallocManaged(&numbers, kCount * sizeof(int));
    fill<<<1, 32>>>(numbers, {0, 5});
    fill<<<1, 32>>>(numbers, {5, kCount}, 2);
    show(numbers, kCount);
    scale<<<1, 32>>>(numbers, NULL, 3, kCount);
    scale<<<1, 32>>>(numbers, 0, 2, kCount);
    show(numbers, kCount);
    set<<<1, 1>>>(numbers, 7);
    set<<<1, 1>>>(numbers + 1, 0.5);
    add<2><<<1, 4>>>(numbers + 2, 1);
    show(numbers, kCount);
    copy<<<1, 32>>>(numbers, NULL, {kCount - 2, kCount});
    copy<<<1, 32>>>(numbers + 4, 0, {0, 1});
    add_where<<<1, 32>>>(numbers, NULL, 100, {0, 2});
    add_where<<<1, 32>>>(numbers, 0, 100, {});
    show(numbers, kCount);
    cudaFree(numbers);
}
