// Calls of the CUDA runtime API and the errors they end with, written once: compiled with nvcc, a GPU's answers are
// recorded; compiled for simt, ours are compared with them.
#pragma once

#include "tests/simt/api_contract_device.hpp"
#include "tests/simt/api_contract_memory.hpp"

namespace contract {

inline Transcript whole() {
    Transcript transcript;
    for (auto* part : {allocation, pointers, copies, symbols, streams_and_events, devices, kernels, advice})
        part(transcript);
    return transcript;
}

}  // namespace contract
