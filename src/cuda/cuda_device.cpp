// GPUs: the runtime device on NVIDIA's driver.
#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>

#include "src/cuda/before_runs.hpp"
#include "src/cuda/capture_mode.hpp"
#include "src/cuda/properties.hpp"
#include "src/cuda/runtime_device.hpp"

namespace lanework::inline on_cuda {

std::string failure_detail() { return {}; }

namespace {

/// The driver's function, if the process has the driver: without it nothing is captured. The runtime's function is of
/// no use here: it would first prepare the device, which is what a capture forbids.
using ExchangeMode = int (*)(int* mode);
ExchangeMode exchange_of_driver() {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);  // never closed
    return driver ? reinterpret_cast<ExchangeMode>(dlsym(driver, "cuThreadExchangeStreamCaptureMode")) : nullptr;
}

}  // namespace

int exchange_capture_mode(int mode) noexcept {
    static std::atomic<ExchangeMode> known = nullptr;
    ExchangeMode exchange = known.load(std::memory_order_relaxed);
    if (!exchange) known = exchange = exchange_of_driver();
    if (!exchange || exchange(&mode) != 0)
        return 0;  // no driver that was started: the mode is CUDA's own, the global one
    return mode;
}

namespace {

class CudaDevice final : public RuntimeDevice {
public:
    explicit CudaDevice(int index) : RuntimeDevice(describe_device(DeviceKind::cuda, index)) {}

    // Reads twice the L2, which leaves nothing of anyone's data in it.
    void evict(std::span<const std::pair<const void*, std::size_t>> ranges) override {
        send_home(ranges);
        read_through(zeros(), queue());
    }

protected:
    bool hold_back(double seconds) override {
        hold(seconds, queue());
        return true;
    }

private:
    cudaStream_t queue() { return static_cast<cudaStream_t>(stream()); }

    // Taken at the first eviction: a program that only computes has the memory for itself.
    DeviceView<uint4> zeros() {
        if (zeros_.view().size == 0) {
            zeros_ = DeviceBuffer<uint4>(2 * info().last_level_cache_bytes / sizeof(uint4), queue());
            fill(zeros_.view().data, std::byte{0}, zeros_.view().bytes());
        }
        return zeros_.view();
    }

    DeviceBuffer<uint4> zeros_;
};

Availability find_gpus() {
    const RelaxedCapture relaxed;
    Availability result{.compiled = true, .count = 0, .reason = {}};
    const cudaError_t code = cudaGetDeviceCount(&result.count);
    if (code == cudaSuccess && result.count > 0) return result;
    cudaGetLastError();
    result.count = 0;
    result.reason = code == cudaErrorInsufficientDriver
                        ? "no NVIDIA driver that this build's CUDA runtime can use was found"
                        : fmt::format("no GPU was found ({})", cudaGetErrorString(code));
    return result;
}

std::unique_ptr<Device> open(int index) {
    const RelaxedCapture relaxed;
    return std::make_unique<CudaDevice>(index);
}

}  // namespace
}  // namespace lanework::inline on_cuda

extern const lanework::DeviceFactory lanework_device_cuda;
constinit const lanework::DeviceFactory lanework_device_cuda{lanework::DeviceKind::cuda, lanework::on_cuda::find_gpus,
                                                             lanework::on_cuda::open};
