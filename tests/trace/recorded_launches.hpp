// Launches of kernels whose machine code was recorded (tests/sass/recorded), traced and followed.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "src/gpu/capabilities.hpp"
#include "src/trace/analyse/metrics.hpp"
#include "src/trace/record/machine_trace.hpp"
#include "src/trace/record/tracer.hpp"

namespace lanework {

inline MachineCode recorded(const std::string& name = "kernels") {
    std::ifstream file(std::string(LANEWORK_SOURCE_DIR) + "/tests/sass/recorded/" + name + ".sass");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return read_machine_code(text);
}

template <class T>
class UploadedArray {
public:
    explicit UploadedArray(const std::vector<T>& values) : count_(values.size()) {
        EXPECT_EQ(cudaMalloc(&data_, count_ * sizeof(T)), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    }
    UploadedArray(const UploadedArray&) = delete;
    UploadedArray& operator=(const UploadedArray&) = delete;
    ~UploadedArray() { cudaFree(data_); }
    T* data() const { return data_; }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

template <class LaunchKernel>
KernelTrace followed(const MachineCode& code, LaunchKernel launch) {
    Tracer tracer;
    tracer.follow({&code, 1});
    launch();
    std::vector<KernelTrace> launches = tracer.take_launches();
    EXPECT_EQ(launches.size(), 1u);
    return launches.empty() ? KernelTrace{} : launches.front();
}

inline double figure(const KernelTrace& trace, std::string_view metric, Trust trust) {
    Explanation explanation;
    explanation.kernels = {trace};
    const MetricInputs inputs = metric_inputs(explanation, trace, *find_capability(90));
    EXPECT_EQ(find_metric(metric)->trust_of(inputs), trust) << metric;
    return predicted(*find_metric(metric), inputs).value_or(-1);
}

}  // namespace lanework
