// Products of one warp by tensor cores, from Ampere on: fragments from shared memory, and mma.sync.
#pragma once

#include "ops/matmul/halves.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Why other devices run no such kernel.
inline constexpr std::string_view kOnGpusAlone =
    "its instructions (ldmatrix, mma.sync) are a GPU's; simt knows tensor cores by nvcuda::wmma alone";

#ifdef __NVCC__

/// Loads four 8 × 8 matrices of 16-bit elements: each lane says where one of their rows is, 16 bytes in shared memory.
__device__ inline void load_fragments(std::uint32_t (&to)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row)))
                 : "memory");
}
__device__ inline void load_fragments_transposed(std::uint32_t (&to)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row)))
                 : "memory");
}

/// sums (16 × 8) += a (16 × 16) · b (16 × 8)
template <class T>
__device__ void multiply_add(float (&sums)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
#define LANEWORK_MMA(type)                                           \
    asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type       \
        ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "        \
        "{%0, %1, %2, %3};"                                          \
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
    if constexpr (std::is_same_v<T, bfloat16>)
        LANEWORK_MMA("bf16");
    else
        LANEWORK_MMA("f16");
#undef LANEWORK_MMA
}

#endif  // __NVCC__

}  // namespace lanework::inline LANEWORK_ON_DEVICE
