// Watches a program on the simt device and writes down what it hands to streams.
#pragma once

#include "src/timeline/kernel_traffic.hpp"
#include "src/timeline/stream_observer.hpp"

namespace lanework {

/// Watches from its construction to its end; nobody else may watch meanwhile.
class StreamRecorder final : public StreamObserver {
public:
    StreamRecorder();
    StreamRecorder(const StreamRecorder&) = delete;
    StreamRecorder& operator=(const StreamRecorder&) = delete;
    ~StreamRecorder() override;

    const StreamProgram& program() const { return program_; }

    void launch_begins(const lanework_simt::Launch& launch) override;
    void launch_ends(const lanework_simt::LaunchEnd& end) override;
    void block_synchronized(const lanework_simt::ObservedBlock& block) override;
    void warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) override;

private:
    KernelTraffic traffic_;
    StreamTask kernel_;
    const void* kernel_stream_ = nullptr;
};

}  // namespace lanework
