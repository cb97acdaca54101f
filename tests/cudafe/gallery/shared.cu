// Shared memory in all its forms: the static assertions say what each declaration declares.
#include <cuda_runtime.h>

#include <type_traits>

extern __shared__ float of_the_file[];

#define SHARED __shared__
#define TILE(type, name) __shared__ type name[8][8 + 1]

template <class A, class B>
struct Scan {
    struct Storage {
        A a;
        B b;
    };
};
struct __align__(16) Vector {
    float x, y, z, w;
};

template <class Declared, class Expected>
constexpr bool is = std::is_same_v<Declared, Expected>;

template <class T>
__global__ void kernel(T* out) {
    __shared__ float a[16][17], b;
    static_assert(is<decltype(a), float(&)[16][17]> && is<decltype(b), float&> && sizeof(a) == 16 * 17 * 4);
    __shared__ typename Scan<T, int>::Storage storage;
    static_assert(is<decltype(storage), typename Scan<T, int>::Storage&>);
    volatile __shared__ unsigned long long counter;
    static_assert(is<decltype(counter), volatile unsigned long long&>);
    static __shared__ T* pointers[4];
    static_assert(is<decltype(pointers), T*(&)[4]>);
    alignas(32) __shared__ char bytes[64];
    __shared__ __align__(16) char more[16];
    float __shared__ after[3];
    static_assert(is<decltype(after), float(&)[3]>);
    SHARED Vector vectors[2];
    TILE(T, first);
    TILE(T, second);
    static_assert(is<decltype(second), T(&)[8][9]>);
    __shared__ struct {
        int i;
        T value;
    } both;
    {
        extern __shared__ T dynamic[];
        static_assert(is<decltype(dynamic), T* const>);
        dynamic[threadIdx.x] = first[0][0] + second[0][0];
    }
    extern __shared__ __align__(16) unsigned char raw[];
    auto* words = reinterpret_cast<int*>(raw);
    a[threadIdx.x][0] = b + of_the_file[threadIdx.x] + *(of_the_file + 1) + vectors[0].x;
    both.i = words[0] + bytes[0] + more[0];
    counter = both.i;
    after[0] = a[0][1];
    pointers[0] = out;
    *out = storage.a + T(after[0]) + *pointers[0];
}

__device__ __noinline__ int called() {
    __shared__ int one;
    return one;
}

int main() {
    int out = called();
    kernel<int><<<1, 32, 256>>>(&out);
    return out;
}
