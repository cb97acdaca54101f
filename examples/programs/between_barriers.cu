// Kernels that wait at barriers in loops and branches, and what threads bring along from one to the next: products with
// register tiles, sums, scans, a sort, a stencil with halos.
#include <cstdio>
#include <vector>

#define SIDE 16
#define AT(row, column) ((row)*n + (column))
constexpr int kBlock = 256;

__global__ void product(const int* a, const int* b, int* c, int n) {
    __shared__ int left[SIDE][SIDE], right[SIDE][SIDE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
    int sum = 0;
    for (int t = 0; t < (n + SIDE - 1) / SIDE; ++t) {
        left[y][x] = row < n && t * SIDE + x < n ? a[AT(row, t * SIDE + x)] : 0;
        right[y][x] = column < n && t * SIDE + y < n ? b[AT(t * SIDE + y, column)] : 0;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n) c[AT(row, column)] = sum;
}

// Each thread has `Rows` × 4 elements of C in an array of its own; pointers that are parameters move on.
template <int Side, int Depth, int Rows>
__global__ void register_tiles(const int* a, const int* b, int* c, int n) {
    __shared__ int of_a[Side * Depth], of_b[Depth * Side];
    const unsigned columns = Side / 4, column = threadIdx.x % columns, row = threadIdx.x / columns;
    a += blockIdx.y * Side * n;
    b += blockIdx.x * Side;
    c += blockIdx.y * Side * n + blockIdx.x * Side;
    int sums[Rows * 4] = {0}, of_row[Rows];
    for (unsigned first = 0; first < n; first += Depth) {
        for (unsigned i = threadIdx.x; i < Side * Depth; i += blockDim.x) of_a[i] = a[i / Depth * n + i % Depth];
        for (unsigned i = threadIdx.x; i < Side * Depth; i += blockDim.x) of_b[i] = b[i / Side * n + i % Side];
        __syncthreads();
        a += Depth;
        b += Depth * n;
        for (unsigned k = 0; k < Depth; ++k) {
            for (unsigned r = 0; r < Rows; ++r) of_row[r] = of_a[(row * Rows + r) * Depth + k];
            for (unsigned r = 0; r < Rows; ++r)
                for (unsigned i = 0; i < 4; ++i) sums[r * 4 + i] += of_row[r] * of_b[k * Side + column * 4 + i];
        }
        __syncthreads();
    }
    for (unsigned r = 0; r < Rows; ++r)
        for (unsigned i = 0; i < 4; ++i) c[(row * Rows + r) * n + column * 4 + i] = sums[r * 4 + i];
}

template <typename T, int Block>
__global__ void tree_sum(const T* in, T* out, int n) {
    __shared__ T partial[Block];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[tid] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) partial[tid] += partial[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

// A while, whose bound is halved beside the barrier, and branches on the block's size with barriers in them.
__global__ void dot(const int* a, const int* b, int* out, int n) {
    __shared__ int cache[kBlock];
    int i = threadIdx.x + blockIdx.x * blockDim.x, own = 0;
    const int slot = threadIdx.x;
    while (i < n) {
        own += a[i] * b[i];
        i += blockDim.x * gridDim.x;
    }
    cache[slot] = own;
    __syncthreads();
    if (blockDim.x >= 256) {
        if (slot < 128) cache[slot] = own = own + cache[slot + 128];
        __syncthreads();
    }
    int half = blockDim.x >= 256 ? 64 : blockDim.x / 2;
    while (half != 0) {
        if (slot < half) cache[slot] = own = own + cache[slot + half];
        __syncthreads();
        half /= 2;
    }
    if (slot == 0) out[blockIdx.x] = cache[0];
}

__global__ void exclusive_scan(int* data, int n) {
    extern __shared__ int sums[];
    const int t = threadIdx.x;
    int offset = 1;
    sums[2 * t] = data[2 * t];
    sums[2 * t + 1] = data[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) sums[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int near = offset * (2 * t + 1) - 1, far = offset * (2 * t + 2) - 1, held = sums[near];
            sums[near] = sums[far];
            sums[far] += held;
        }
    }
    __syncthreads();
    data[2 * t] = sums[2 * t];
    data[2 * t + 1] = sums[2 * t + 1];
}

__global__ void sort(int* data) {
    __shared__ int held[kBlock];
    const unsigned t = threadIdx.x;
    held[t] = data[blockIdx.x * kBlock + t];
    __syncthreads();
    for (unsigned k = 2; k <= kBlock; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            const unsigned other = t ^ j;
            if (other > t) {
                const int mine = held[t], its = held[other];
                if ((mine > its) == ((t & k) == 0)) {
                    held[t] = its;
                    held[other] = mine;
                }
            }
            __syncthreads();
        }
    data[blockIdx.x * kBlock + t] = held[t];
}

__global__ void stencil(const int* in, int* out, int n, int radius) {
    __shared__ int tile[kBlock + 16];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + radius;
    tile[at] = i < n ? in[i] : 0;
    if (threadIdx.x < radius) {
        tile[at - radius] = i >= radius ? in[i - radius] : 0;
        tile[at + kBlock] = i + kBlock < n ? in[i + kBlock] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
    for (int o = -radius; o <= radius; ++o) sum += tile[at + o];
    out[i] = sum;
}

// The parameter `n` is another number for each thread from the first barrier on.
__global__ void left_neighbours(const int* in, int* out, int n) {
    __shared__ int held[kBlock];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    held[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    const int left = threadIdx.x > 0 ? held[threadIdx.x - 1] : 0;
    n -= i;
    __syncthreads();
    held[threadIdx.x] = left + n;
    __syncthreads();
    if (n > 0) out[i] = held[threadIdx.x] - n;
}

// Blocks of three dimensions; each round waits, up to one that all threads leave.
__global__ void rounds(int* out, int most) {
    __shared__ int cube[4][4][4];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    cube[z][y][x] = x + 4 * y + 16 * z;
    for (int round = 0;; ++round) {
        if (round == most + blockIdx.x) break;
        __syncthreads();
        const int next = cube[y][x][z];
        __syncthreads();
        cube[z][y][x] = next;
    }
    out[blockIdx.x * 64 + x + 4 * y + 16 * z] = cube[z][y][x];
}

static void print(const char* name, bool right) { printf("%s: %s\n", name, right ? "right" : "wrong"); }
static int* numbers(int n) {
    int* all;
    cudaMallocManaged(&all, n * sizeof(int));
    for (int i = 0; i < n; ++i) all[i] = i * 7919 % 23;
    return all;
}
static bool is_product(const int* a, const int* b, const int* c, int n) {
    cudaDeviceSynchronize();
    bool right = true;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            int sum = 0;
            for (int k = 0; k < n; ++k) sum += a[AT(row, k)] * b[AT(k, column)];
            right = right && c[AT(row, column)] == sum;
        }
    return right;
}

int main() {
    const int side = 64, uneven = 50, n = 1000;
    int *a = numbers(side * side), *b = numbers(side * side), *c = numbers(side * side);
    product<<<dim3(4, 4), dim3(SIDE, SIDE)>>>(a, b, c, uneven);
    print("product", is_product(a, b, c, uneven));
    register_tiles<32, 8, 4><<<dim3(2, 2), 64>>>(a, b, c, side);
    print("register_tiles", is_product(a, b, c, side));

    int sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) sum += a[i], squares += a[i] * b[i];
    tree_sum<int, kBlock><<<4, kBlock>>>(a, c, n);
    cudaDeviceSynchronize();
    print("tree_sum", c[0] + c[1] + c[2] + c[3] == sum);
    for (const int threads : {kBlock, 128}) {
        dot<<<2, threads>>>(a, b, c, n);
        cudaDeviceSynchronize();
        print("dot", c[0] + c[1] == squares);
    }

    std::vector<int> expected(512, 0);
    cudaDeviceSynchronize();
    int* again = numbers(512);
    for (int i = 1; i < 512; ++i) expected[i] = expected[i - 1] + again[i - 1];
    exclusive_scan<<<1, 256, 512 * sizeof(int)>>>(again, 512);
    cudaDeviceSynchronize();
    print("exclusive_scan", expected == std::vector<int>(again, again + 512));

    int* unsorted = numbers(2 * kBlock);
    sort<<<2, kBlock>>>(unsorted);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 1; i < kBlock; ++i)
        right = right && unsorted[i - 1] <= unsorted[i] && unsorted[kBlock + i - 1] <= unsorted[kBlock + i];
    print("sort", right);

    stencil<<<4, kBlock>>>(a, c, n, 3);
    cudaDeviceSynchronize();
    right = true;
    for (int i = 0; i < n; ++i) {
        int around = 0;
        for (int k = i - 3; k <= i + 3; ++k) around += k >= 0 && k < n ? a[k] : 0;
        right = right && c[i] == around;
    }
    print("stencil", right);

    left_neighbours<<<4, kBlock>>>(a, c, n);
    cudaDeviceSynchronize();
    right = true;
    for (int i = 0; i < n; ++i) right = right && c[i] == (i % kBlock ? a[i - 1] : 0);
    print("left_neighbours", right);

    rounds<<<2, dim3(4, 4, 4)>>>(c, 5);
    cudaDeviceSynchronize();
    right = true;
    for (int i = 0; i < 64; ++i) {
        int x = i % 4, y = i / 4 % 4, z = i / 16, five, six = -1;
        for (int round = 0; round < 6; ++round) {
            if (round == 5) five = x + 4 * y + 16 * z;
            const int old_x = x;
            x = z, z = y, y = old_x;  // what is at (x, y, z) was at (z, x, y)
        }
        six = x + 4 * y + 16 * z;
        right = right && c[i] == five && c[64 + i] == six;
    }
    print("rounds", right);
}
