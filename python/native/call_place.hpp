// Where a call computes, as other languages say it.
#pragma once

#include <cstdint>

extern "C" {
/// python/lanework/place.py has the same fields in the same order.
struct lanework_place {
    void* stream;     ///< a cudaStream_t of the GPU
    int32_t device;   ///< the GPU's number; −1: the processor
    int32_t threads;  ///< of the processor; 0: all that there are
};
}
