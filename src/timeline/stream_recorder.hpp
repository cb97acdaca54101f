// Watches a program on the simt device and writes down what it hands to streams.
#pragma once

#include "src/timeline/kernel_traffic.hpp"
#include "src/timeline/stream_program.hpp"

namespace lanework {

/// Watches from its construction to its end; nobody else may watch meanwhile.
class StreamRecorder final : public lanework_simt::Observer {
public:
    StreamRecorder();
    StreamRecorder(const StreamRecorder&) = delete;
    StreamRecorder& operator=(const StreamRecorder&) = delete;
    ~StreamRecorder() override;

    const StreamProgram& program() const { return program_; }

    void copied(const lanework_simt::StreamCopy& copy) override;
    void event_recorded(const void* event, const void* stream) override;
    void stream_waits_for_event(const void* stream, const void* event) override;
    void host_waits_for_stream(const void* stream) override;
    void host_waits_for_event(const void* event) override;
    void host_waits_for_device() override;
    void graph_begins(const void* stream) override;
    void graph_step(const void* lane, std::span<const std::size_t> after) override;
    void graph_ends() override;
    void launch_begins(const lanework_simt::Launch& launch) override;
    void launch_ends(const lanework_simt::LaunchEnd& end) override;
    void block_synchronized(const lanework_simt::ObservedBlock& block) override;
    void warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) override;

private:
    StreamProgram program_;
    KernelTraffic traffic_;
    StreamTask kernel_;
    const void* kernel_stream_ = nullptr;
};

}  // namespace lanework
