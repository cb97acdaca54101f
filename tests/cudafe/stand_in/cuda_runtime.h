// What cudafe's output needs to compile, and no more: a stand-in for the simt device's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
using cudaStream_t = struct Stream*;
extern dim3 __thrdIdx, __blkIdx;

namespace lanework_simt {

template <std::size_t Alignment>
struct SharedSlotAligned {
    template <class T>
    operator T&() const {
        static_assert((Alignment & (Alignment - 1)) == 0);
        static T memory;
        return memory;
    }
};
using SharedSlot = SharedSlotAligned<1>;

template <class T>
T* dynamic_shared();

template <class T>
struct DynamicShared {
    T* operator()() const { return dynamic_shared<T>(); }
    operator T*() const { return dynamic_shared<T>(); }
};

template <class Call>
struct Launcher {
    const char* kernel;
    Call call;
    Launcher& configure(dim3, dim3, std::size_t = 0, cudaStream_t = nullptr) { return *this; }
    template <class... Arguments>
    void operator()(Arguments... arguments) {
        call(arguments...);
    }
};

#define LANEWORK_SIGNATURE(...) 0
template <class Call>
Launcher<Call> launcher(const char* kernel, Call call, int) {
    return {kernel, call};
}
template <class Call>
Launcher<Call> loop_launcher(const char* kernel, Call call, int) {
    return {kernel, call};
}
template <class Call>
Launcher<Call> row_launcher(const char* kernel, Call call, int) {
    return {kernel, call};
}
template <class... Parameters>
Launcher<void (*)(Parameters...)> pointed_launcher(const char* kernel, void (*call)(Parameters...)) {
    return {kernel, call};
}

}  // namespace lanework_simt
