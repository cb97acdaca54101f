// Kernels that take a pack of arguments, launched with some of the template's arguments named and the pack behind them;
// and a class that may be copied, not moved, as a kernel's argument. nvcc needs --extended-lambda.
#include <cstdio>

struct Shape {
    static constexpr int threads = 4;
};

template <class Launch, class Function, class... Arguments>
__global__ void apply(Function function, int count, Arguments... arguments) {
    const int i = blockIdx.x * Launch::threads + threadIdx.x;
    if (i < count) function(i, arguments...);
}

template <class Launch, class Function, class... Arguments>
void on_all(Function function, int count, Arguments... arguments) {
    const int blocks = (count + Launch::threads - 1) / Launch::threads;
    apply<Launch, Function><<<blocks, Launch::threads>>>(function, count, arguments...);
}

// Its call is of three arguments: it cannot be called with those that a launch without its pack would give.
struct Store {
    template <class Value>
    __device__ void operator()(int i, int* out, Value value) const {
        out[i] = value(i);
    }
};

class Table {
public:
    __host__ __device__ explicit Table(int* numbers) : numbers_(numbers) {}
    Table(const Table&) = default;
    Table(Table&&) = delete;
    __device__ int& at(int i) const { return numbers_[i]; }

private:
    int* numbers_;
};

__global__ void twice(Table table) { table.at(threadIdx.x) *= 2; }
template <class T>
__global__ void more(T table, int by) {
    table.at(threadIdx.x) += by;
}

int main() {
    constexpr int n = 6;
    int* out;
    cudaMallocManaged(&out, n * sizeof(int));
    on_all<Shape>(Store(), n, out, [] __device__(int i) { return i * i; });
    const Table table(out);
    twice<<<1, n>>>(table);
    more<<<1, n>>>(table, 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) std::printf("%d%c", out[i], i + 1 < n ? ' ' : '\n');
    cudaFree(out);
}
