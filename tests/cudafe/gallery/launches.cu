// Launches in all their forms: this file compiles when each became the call that it says.
#include <cuda_runtime.h>

namespace shapes {
template <class T, int N = 1>
__global__ void fill(T* out, T value) {
    out[threadIdx.x % N] = value;
}
template <class T>
struct Holder {
    template <bool Flag>
    static __global__ void run(T* out) {
        *out = Flag;
    }
};
}  // namespace shapes

template <class A>
struct Wrapped {
    A value;
};
__global__ void copy(const float* in, float* out, int n) {
    if (int(threadIdx.x) < n) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void overloaded(int*) {}
__global__ void overloaded(float*) {}
__global__ void nothing() {}

#define CHECK(expression) \
    do {                  \
        expression;       \
    } while (0)
#define LAUNCH(kernel, count, ...) kernel<<<((count) + 31) / 32, 32>>>(__VA_ARGS__)
#define LAUNCH_OF(type, ...)                           \
    do {                                               \
        shapes::fill<type, 2><<<1, 32>>>(__VA_ARGS__); \
    } while (0)
#define RUN_NOTHING nothing<<<1, 1>>>

template <class T>
void dependent(T* out, cudaStream_t stream) {
    shapes::Holder<T>::template run<(sizeof(T) > 2)><<<1, 32, 0, stream>>>(out);
    shapes::fill<T><<<dim3(1, 2), {3, 4}>>>(out, T(1));
}

int main() {
    float data[4]{}, *out = data;
    Wrapped<Wrapped<int>> wrapped{}, *address = &wrapped;
    constexpr int kThreads = 1'024 >> 5;
    void (*pointer)(const float*, float*, int) = copy;
    void (*table[2])(const float*, float*, int) = {copy, copy};

    copy<<<1, kThreads>>>(data, out, 4);
    ::copy<<<dim3(4 > 2 ? 1 : 2), dim3(32, 1), sizeof(Wrapped<Wrapped<int>>)>>>(data, out, 4);
    if (data[0] > 1) (*pointer)<<<1, 32>>>(data, out, 4);
    for (int i = 0; i < 2; ++i) table[i]<<<1, 32>>>(data, out, 4);
    shapes::fill<Wrapped<Wrapped<int>>><<<1, 32>>>(address, wrapped);
    overloaded<<<1, 1>>>(out);
    nothing /* of */<<<1, 1>>> /* it */ ();
    CHECK((shapes::fill<float, 2><<<1, 32>>>(out, 2.0f)));
    LAUNCH(copy, 4, data, out, 4);
    LAUNCH_OF(float, out, 1.0f);
    RUN_NOTHING();
    dependent(out, nullptr);
    const char* text = R"cu(nothing<<<1, 1>>>();)cu";
    return text[0] == 'n' ? 0 : __LINE__;
}
