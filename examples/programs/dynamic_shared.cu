// One array of dynamic shared memory, cut into parts of several types; templates name it for theirs.
#include <cstdio>

extern __shared__ unsigned char raw[];

__global__ void parts(int n, double* sum) {
    double* const values = reinterpret_cast<double*>(raw);
    int* const index = reinterpret_cast<int*>(values + n);
    const int i = threadIdx.x;
    values[i] = 0.5 * i;
    index[i] = n - 1 - i;
    __syncthreads();
    if (i == 0) {
        *sum = 0;
        for (int k = 0; k < n; ++k) *sum += values[index[k]] * k;
    }
}

template <class T>
__global__ void rotate(T* data) {
    extern __shared__ unsigned char memory[];
    T* const mine = reinterpret_cast<T*>(memory);
    mine[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = mine[(threadIdx.x + 1) % blockDim.x];
}

int main() {
    const int n = 16;
    double* sum;
    short* words;
    float* numbers;
    cudaMallocManaged(&sum, sizeof(double));
    cudaMallocManaged(&words, n * sizeof(short));
    cudaMallocManaged(&numbers, n * sizeof(float));
    for (int i = 0; i < n; ++i) words[i] = i, numbers[i] = i * 0.25f;
    parts<<<1, n, n*(sizeof(double) + sizeof(int))>>>(n, sum);
    rotate<<<1, n, n * sizeof(short)>>>(words);
    rotate<<<1, n, n * sizeof(float)>>>(numbers);
    cudaDeviceSynchronize();
    printf("%g, %d %d, %g %g\n", *sum, words[0], words[n - 1], numbers[0], numbers[n - 1]);
}
