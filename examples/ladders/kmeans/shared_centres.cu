// A block brings the centres to shared memory once; there a warp's lanes read one address at a time.
// climbs from: naive
// grid: ceil(n/64)
// block: 64
// shared: 4*k*d
__global__ void assign(const float* points, const float* centres, int* nearest, int n, int d, int k) {
    extern __shared__ float held[];
    for (int i = threadIdx.x; i < k * d; i += blockDim.x) held[i] = centres[i];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double least = INFINITY;
    int best = 0;
    for (int centre = 0; centre < k; ++centre) {
        double distance = 0;
        for (int c = 0; c < d; ++c) {
            const double apart = double(points[i * d + c]) - held[centre * d + c];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            best = centre;
        }
    }
    nearest[i] = best;
}
