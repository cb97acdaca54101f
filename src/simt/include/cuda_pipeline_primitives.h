// Copies to shared memory that a thread does not wait for, as functions: the bytes are there at once, as cp.async's are
// here, so that committing and waiting is nothing.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cuda_runtime.h>

/// `size` bytes, 4, 8 or 16, of which the last `zeros` are zero.
LANEWORK_SIMT_BUILTIN void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
    const auto given = static_cast<unsigned int>(size - zeros);
    if (size == 16)
        lanework_simt::ptx::copy<16>(to, from, given);
    else if (size == 8)
        lanework_simt::ptx::copy<8>(to, from, given);
    else
        lanework_simt::ptx::copy<4>(to, from, given);
}
LANEWORK_SIMT_BUILTIN void __pipeline_commit() {}
LANEWORK_SIMT_BUILTIN void __pipeline_wait_prior(size_t) {}

#include <lanework_simt/letters_back.hpp>
