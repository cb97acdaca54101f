// expect: wrong_result
// Of equally near centres the last is taken.
// grid: ceil(n/64)
// block: 64
__global__ void assign(const float* points, const float* centres, int* nearest, int n, int d, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double least = INFINITY;
    int best = 0;
    for (int centre = 0; centre < k; ++centre) {
        double distance = 0;
        for (int c = 0; c < d; ++c) {
            const double apart = double(points[i * d + c]) - centres[centre * d + c];
            distance += apart * apart;
        }
        if (distance <= least) {
            least = distance;
            best = centre;
        }
    }
    nearest[i] = best;
}
