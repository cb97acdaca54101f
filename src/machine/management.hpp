// NVIDIA's management library (NVML), looked for when the program runs: it answers without a CUDA context, and also
// where the driver is too old for this build's runtime.
#pragma once

#include <string>
#include <vector>

#include "src/machine/gpu_state.hpp"

namespace lanework {

class SharedLibrary;

/// The functions of NVML that are used here, with our own declarations; null where a library has none.
/// Source: nvml.h of CUDA 13.0.
struct Management {
    struct Device;
    struct Process {
        unsigned id;
        unsigned long long memory;
        unsigned instance, compute_instance;
    };
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    const char* (*error_text)(int) = nullptr;
    int (*driver_version)(char*, unsigned) = nullptr;
    int (*cuda_version)(int*) = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*handle)(unsigned, Device**) = nullptr;
    int (*name)(Device*, char*, unsigned) = nullptr;
    int (*capability)(Device*, int*, int*) = nullptr;
    int (*ecc)(Device*, int*, int*) = nullptr;
    int (*ecc_errors)(Device*, int, int, unsigned long long*) = nullptr;
    int (*multi_instance)(Device*, unsigned*, unsigned*) = nullptr;
    int (*persistence)(Device*, int*) = nullptr;
    int (*compute_mode)(Device*, int*) = nullptr;
    int (*temperature)(Device*, int, unsigned*) = nullptr;
    int (*temperature_threshold)(Device*, int, unsigned*) = nullptr;
    int (*power)(Device*, unsigned*) = nullptr;
    int (*power_limit)(Device*, unsigned*) = nullptr;
    int (*clock)(Device*, int, unsigned*) = nullptr;
    int (*most_clock)(Device*, int, unsigned*) = nullptr;
    int (*held_back)(Device*, unsigned long long*) = nullptr;
    int (*link_generation)(Device*, unsigned*) = nullptr;
    int (*most_link_generation)(Device*, unsigned*) = nullptr;
    int (*link_width)(Device*, unsigned*) = nullptr;
    int (*most_link_width)(Device*, unsigned*) = nullptr;
    int (*processes)(Device*, unsigned*, Process*) = nullptr;
};

Management functions_of(const SharedLibrary& library);

struct DriverState {
    /// Why the driver does not answer, in one line; empty when it does.
    std::string reason;
    /// "580.65.06".
    std::string version;
    /// 13000 for CUDA 13.0; 0 when unknown.
    int cuda = 0;
    std::vector<GpuState> gpus;
};

/// Asks everything once. `self` is the process that is left out of those that use a GPU.
DriverState read_driver(const Management& nvml, unsigned self);
/// The same of this machine.
DriverState read_driver();

}  // namespace lanework
