// The sum of each row of a matrix. Threads beyond the last row do nothing.
#include <cstdio>

constexpr int kRows = 1000, kColumns = 256;

__global__ void row_sums(const float* in, float* out) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= kRows) return;
    float sum = 0;
    for (int column = 0; column < kColumns; ++column) sum += in[row * kColumns + column];
    out[row] = sum;
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, kRows * kColumns * sizeof(float));
    cudaMallocManaged(&out, kRows * sizeof(float));
    for (int i = 0; i < kRows * kColumns; ++i) in[i] = 0.5f;
    row_sums<<<(kRows + 127) / 128, 128>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("row 0: %g, row 999: %g\n", out[0], out[999]);
    cudaFree(in);
    cudaFree(out);
}
