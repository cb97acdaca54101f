// What calls of the CUDA runtime API end with, one after the other.
#pragma once

#include <cuda_runtime.h>

#include <vector>

namespace contract {

/// What a call ended with, and whether it left an error behind for cudaGetLastError.
struct Answer {
    const char* call;
    int error, left_behind;
};

class Transcript {
public:
    void add(const char* call, cudaError_t error) { answers_.push_back({call, int(error), int(cudaGetLastError())}); }
    const std::vector<Answer>& answers() const { return answers_; }

private:
    std::vector<Answer> answers_;
};

#define LANEWORK_CALL(...) transcript.add(#__VA_ARGS__, __VA_ARGS__)

}  // namespace contract
