// A block brings 64 bodies to shared memory at a time: each is read from memory once a block.
// climbs from: naive
// grid: ceil(n/64)
// block: 64
__global__ void attract(const float* position, const float* mass, float* acceleration, int n) {
    __shared__ float4 bodies[64];
    const int i = blockIdx.x * 64 + threadIdx.x, mine = min(i, n - 1);
    const float x = position[3 * mine], y = position[3 * mine + 1], z = position[3 * mine + 2];
    float ax = 0, ay = 0, az = 0;
    for (int begin = 0; begin < n; begin += 64) {
        const int j = begin + threadIdx.x;
        bodies[threadIdx.x] = j < n ? make_float4(position[3 * j], position[3 * j + 1], position[3 * j + 2], mass[j])
                                    : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int other = 0; other < 64; ++other) {
            const float4 body = bodies[other];
            const float dx = body.x - x, dy = body.y - y, dz = body.z - z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float strength = body.w * inverse * inverse * inverse;
            ax += strength * dx;
            ay += strength * dy;
            az += strength * dz;
        }
        __syncthreads();
    }
    if (i >= n) return;
    acceleration[3 * i] = ax;
    acceleration[3 * i + 1] = ay;
    acceleration[3 * i + 2] = az;
}
