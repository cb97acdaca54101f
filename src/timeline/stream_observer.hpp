// What somebody who watches the simt device hears of streams, written down as a program of streams. Kernels are left to
// who derives from it.
#pragma once

#include <mutex>

#include "src/simt/observer.hpp"
#include "src/timeline/stream_program.hpp"

namespace lanework {

class StreamObserver : public lanework_simt::Observer {
public:
    void fork_begins() override;
    void fork_ends(bool in_child) override;
    void copied(const lanework_simt::StreamCopy& copy) override;
    void event_recorded(const void* event, const void* stream) override;
    void stream_waits_for_event(const void* stream, const void* event) override;
    void host_waits_for_stream(const void* stream) override;
    void host_waits_for_event(const void* event) override;
    void host_waits_for_device() override;
    void graph_begins(const void* stream) override;
    void graph_step(const void* lane, std::span<const std::size_t> after) override;
    void graph_ends() override;

protected:
    /// Whether work is written down now.
    virtual bool records() const { return true; }
    /// The next task is this copy or fill …
    virtual void submitted(const StreamTask&) {}
    /// … or a kernel, and now it is the program's last.
    virtual void handed_over() {}
    /// The program's last call waited.
    virtual void host_waited() {}

    /// One with the launch's name and blocks.
    static StreamTask kernel_task(const lanework_simt::Launch& launch);
    void submit_kernel(StreamTask task, const void* stream, bool host_waits = false);

    StreamProgram program_;
    /// Several host threads may tell of memory and hand work over, also while a launch of another one is told of: each
    /// of them tells one thing to its end. Locks are taken in this order: the engine's (one launch runs at a time),
    /// this one, the stream order's, the memory map's.
    mutable std::recursive_mutex telling_;
};

}  // namespace lanework
