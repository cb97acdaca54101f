// Operators, destructors and function objects of a program's own classes: kernels that compute with them, and one whose
// destructor waits for the block.
#include <cassert>
#include <cstdio>

struct Point {
    float e[2];
    __host__ __device__ float& operator[](int i) {
        assert(i < 2);
        return e[i];
    }
    friend __host__ __device__ Point operator+(Point a, Point b) { return {{a.e[0] + b.e[0], a.e[1] + b.e[1]}}; }
};

template <class T>
struct Matrix {
    T* data;
    int columns;
    __host__ __device__ T& operator()(int row, int column) const { return data[row * columns + column]; }
};

/// Whoever leaves the scope waits for the block.
struct Meeting {
    __device__ ~Meeting() { __syncthreads(); }
};

struct Scaled {
    float by;
    __host__ __device__ float operator()(float x) const { return by * x; }
};

template <class F>
__global__ void map(float* data, int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = f(data[i]);
}

__global__ void add(Point* points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) points[i] = points[i] + points[i];
    if (i < n) points[i][1] += 1;
}

__global__ void turn(Matrix<const float> in, Matrix<float> out, int rows) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < in.columns) out(column, row) = in(row, column);
}

__global__ void reverse(float* data) {
    __shared__ float block[64];
    {
        Meeting all;
        block[threadIdx.x] = data[threadIdx.x];
    }
    data[threadIdx.x] = block[blockDim.x - 1 - threadIdx.x];
}

int main() {
    float *in, *out;
    Point* points;
    cudaMallocManaged(&in, 64 * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    cudaMallocManaged(&points, 64 * sizeof(Point));
    for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i), points[i] = {{1.0f * i, 2.0f * i}};
    map<<<2, 32>>>(in, 64, Scaled{3});
    add<<<2, 32>>>(points, 64);
    turn<<<dim3(2, 1), dim3(8, 4)>>>(Matrix<const float>{in, 16}, Matrix<float>{out, 4}, 4);
    cudaDeviceSynchronize();
    std::printf("%g %g %g\n", in[63], points[63][0], points[63][1]);
    std::printf("%g %g %g\n", out[1], out[4], out[63]);
    reverse<<<1, 64>>>(in);
    cudaDeviceSynchronize();
    std::printf("%g %g\n", in[0], in[63]);
}
