// A sparse matrix in compressed rows times a vector: a thread a row, and a warp a row.
#include <cstdio>
#include <vector>

__global__ void thread_a_row(const int* starts, const int* columns, const float* values, const float* x, float* y,
                             int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

__global__ void warp_a_row(const int* starts, const int* columns, const float* values, const float* x, float* y,
                           int n) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0) y[row] = sum;
}

template <class T>
T* on_device(const std::vector<T>& values) {
    T* device;
    cudaMalloc(&device, values.size() * sizeof(T));
    cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    const int n = 300;
    std::vector<int> starts{0}, columns;
    std::vector<float> values, x(n), y(n), expected(n);
    for (int row = 0; row < n; ++row) {
        x[row] = row % 5 - 2;
        for (int column = row % 3; column < n; column += 3 + row % 11) {
            columns.push_back(column);
            values.push_back((row + column) % 8 * 0.25f);
        }
        starts.push_back(static_cast<int>(columns.size()));
    }
    for (int row = 0; row < n; ++row)
        for (int k = starts[row]; k < starts[row + 1]; ++k) expected[row] += values[k] * x[columns[k]];
    const int *first = on_device(starts), *column = on_device(columns);
    const float *value = on_device(values), *vector = on_device(x);
    float* result = on_device(y);
    for (const bool warps : {false, true}) {
        if (warps)
            warp_a_row<<<(n + 7) / 8, 256>>>(first, column, value, vector, result, n);
        else
            thread_a_row<<<(n + 127) / 128, 128>>>(first, column, value, vector, result, n);
        cudaMemcpy(y.data(), result, n * sizeof(float), cudaMemcpyDeviceToHost);
        printf("%s: %s\n", warps ? "a warp a row" : "a thread a row", y == expected ? "exact" : "wrong");
    }
}
