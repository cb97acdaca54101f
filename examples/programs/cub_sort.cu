// CUB sorts: keys, pairs from high to low, and each segment of an array by itself. Needs CCCL.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

template <class T>
T* on_device(const std::vector<T>& host) {
    T* memory;
    cudaMalloc(&memory, host.size() * sizeof(T));
    cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

template <class T>
std::vector<T> on_host(const T* memory, std::size_t count) {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}

/// Asks how much memory a call needs, and calls it with that.
template <class Call>
void with_memory(const Call& call) {
    void* memory = nullptr;
    std::size_t bytes = 0;
    call(memory, bytes);
    cudaMalloc(&memory, bytes);
    call(memory, bytes);
    cudaFree(memory);
}

int main() {
    constexpr int n = 2000, per_segment = 300;
    std::vector<int> keys(n), numbers(n), starts;
    for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(2654435761u * static_cast<unsigned>(i) >> 8) % 1000 - 500;
    std::iota(numbers.begin(), numbers.end(), 0);
    for (int start = 0; start < n; start += per_segment) starts.push_back(start);
    const int segments = static_cast<int>(starts.size());
    starts.push_back(n);

    int *in = on_device(keys), *sorted = on_device(keys), *from = on_device(numbers), *to = on_device(numbers);
    int* segment_starts = on_device(starts);

    std::vector<int> expected = keys;
    std::sort(expected.begin(), expected.end());
    with_memory(
        [&](void* memory, std::size_t& bytes) { cub::DeviceRadixSort::SortKeys(memory, bytes, in, sorted, n); });
    std::printf("keys: %s\n", on_host(sorted, n) == expected ? "sorted" : "wrong");

    expected = numbers;
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return keys[a] > keys[b]; });
    with_memory([&](void* memory, std::size_t& bytes) {
        cub::DeviceRadixSort::SortPairsDescending(memory, bytes, in, sorted, from, to, n);
    });
    std::printf("pairs: %s\n", on_host(to, n) == expected ? "sorted, equal keys in order" : "wrong");

    expected = keys;
    for (int i = 0; i < segments; ++i) std::sort(expected.begin() + starts[i], expected.begin() + starts[i + 1]);
    with_memory([&](void* memory, std::size_t& bytes) {
        cub::DeviceSegmentedSort::SortKeys(memory, bytes, in, sorted, n, segments, segment_starts, segment_starts + 1);
    });
    std::printf("segments: %s\n", on_host(sorted, n) == expected ? "sorted" : "wrong");
    for (int* memory : {in, sorted, from, to, segment_starts}) cudaFree(memory);
}
