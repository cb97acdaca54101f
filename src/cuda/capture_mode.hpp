// First uses while somebody captures a stream: the runtime loads code and takes memory for them, which CUDA refuses a
// thread that captures, or beside which another does, and the capture is lost.
#pragma once

#include <lanework/device.hpp>
#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Makes this thread's cudaStreamCaptureMode that one, and returns the one before.
int exchange_capture_mode(int mode) noexcept;

/// While it lives, this thread may do what is unsafe in a capture. What is launched on a captured stream is captured.
class RelaxedCapture {
public:
    RelaxedCapture() noexcept : before_(exchange_capture_mode(kRelaxedCapture)) {}
    RelaxedCapture(const RelaxedCapture&) = delete;
    RelaxedCapture& operator=(const RelaxedCapture&) = delete;
    ~RelaxedCapture() { exchange_capture_mode(before_); }

private:
    int before_;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
