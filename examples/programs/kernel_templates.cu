// Kernels as templates over types, sizes, functors, other templates and member functions; overloads and specialisations
// on the device.
#include <cstdio>

template <class T>
struct Sum {
    static constexpr T start = T(0);
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct Largest {
    static constexpr T start = T(-1000);
    __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T>
__device__ const char* name_of();
template <>
__device__ const char* name_of<int>() {
    return "int";
}
template <>
__device__ const char* name_of<double>() {
    return "double";
}

template <class T, int Threads, template <class> class Operation>
__global__ void reduce(const T* in, T* out, int n) {
    __shared__ T part[Threads];
    const Operation<T> operation;
    T value = Operation<T>::start;
    for (int i = threadIdx.x; i < n; i += Threads) value = operation(value, in[i]);
    part[threadIdx.x] = value;
    for (int step = Threads / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) part[threadIdx.x] = operation(part[threadIdx.x], part[threadIdx.x + step]);
    }
    if (threadIdx.x != 0) return;
    *out = part[0];
    if constexpr (Threads > 64) printf("%d threads, %s\n", Threads, name_of<T>());
}

struct Account {
    int balance;
    __device__ void pay_in(int amount) { balance += amount; }
    __device__ void double_it(int) { balance *= 2; }
};
template <void (Account::*Change)(int)>
__global__ void change(Account* accounts, int amount) {
    (accounts[threadIdx.x].*Change)(amount);
}

void show_accounts() {
    Account* accounts;
    cudaMallocManaged(&accounts, 4 * sizeof(Account));
    for (int i = 0; i < 4; ++i) accounts[i] = {i};
    change<&Account::pay_in><<<1, 4>>>(accounts, 10);
    change<&Account::double_it><<<1, 4>>>(accounts, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) printf("%d ", accounts[i].balance);
    printf("in accounts\n");
    cudaFree(accounts);
}

template <class T, int Threads>
void show(T first) {
    const int n = 200;
    T *in, *out;
    cudaMallocManaged(&in, n * sizeof(T));
    cudaMallocManaged(&out, sizeof(T));
    for (int i = 0; i < n; ++i) in[i] = first + i % 50;
    reduce<T, Threads, Sum><<<1, Threads>>>(in, out, n);
    cudaDeviceSynchronize();
    const double sum = *out;
    reduce<T, Threads, Largest><<<1, Threads>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("sum %g, largest %g\n", sum, static_cast<double>(*out));
    cudaFree(in);
    cudaFree(out);
}

int main() {
    show<int, 32>(1);
    show<int, 128>(-20);
    show<double, 256>(0.5);
    show_accounts();
}
