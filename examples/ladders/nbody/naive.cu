// One thread a body: every body is read from memory by every thread.
// grid: ceil(n/64)
// block: 64
__global__ void attract(const float* position, const float* mass, float* acceleration, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
        const float dx = position[3 * j] - position[3 * i], dy = position[3 * j + 1] - position[3 * i + 1];
        const float dz = position[3 * j + 2] - position[3 * i + 2];
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        const float strength = mass[j] * inverse * inverse * inverse;
        ax += strength * dx;
        ay += strength * dy;
        az += strength * dz;
    }
    acceleration[3 * i] = ax;
    acceleration[3 * i + 1] = ay;
    acceleration[3 * i + 2] = az;
}
