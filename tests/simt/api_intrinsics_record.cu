// Records what a GPU's intrinsics answer. From the root of the project:
//   nvcc -std=c++17 -arch=native -I. tests/simt/api_intrinsics_record.cu -o record
//   ./record > tests/simt/api_intrinsics_recorded.inc
#include <cstdio>
#include <vector>

#include "tests/simt/api_intrinsics_probes.hpp"

namespace {

LANEWORK_INTRINSIC_PROBES(LANEWORK_INTRINSIC_PROBE)

template <class Probe>
__global__ void answer(probes::Bits* outputs) {
    const int index = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (index < probes::kInputs) outputs[index] = Probe::at(probes::Inputs(index));
}

template <class Probe>
void record_probe(const char* name, probes::Bits* device) {
    std::vector<probes::Bits> outputs(probes::kInputs);
    answer<Probe><<<(probes::kInputs + 127) / 128, 128>>>(device);
    cudaMemcpy(outputs.data(), device, outputs.size() * sizeof outputs[0], cudaMemcpyDeviceToHost);
    std::printf("{\"%s\", 0x%016llxull},\n", name, probes::digest(outputs.data()));
}

}  // namespace

int main() {
    probes::Bits* device = nullptr;
    if (cudaMalloc(&device, probes::kInputs * sizeof(probes::Bits)) != cudaSuccess) return 77;
#define LANEWORK_RECORD(name, ...) record_probe<probe_##name>(#name, device);
    LANEWORK_INTRINSIC_PROBES(LANEWORK_RECORD)
    cudaFree(device);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
