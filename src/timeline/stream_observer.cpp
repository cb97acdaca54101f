// From the simt device's words to those of a program of streams.
#include "src/timeline/stream_observer.hpp"

#include <lanework_simt/stream.hpp>
#include <memory>
#include <utility>

namespace lanework {
namespace {

using lanework_simt::cudaStream_t;
using lanework_simt::StreamCopy;

/// The legacy default stream has two names. A stream that a graph was captured from may be gone.
const void* known(StreamProgram& program, const void* stream) {
    if (stream == cudaStreamLegacy || program.in_graph()) return nullptr;
    unsigned flags = cudaStreamDefault;
    if (stream && stream != cudaStreamPerThread)
        lanework_simt::cudaStreamGetFlags(static_cast<cudaStream_t>(const_cast<void*>(stream)), &flags);
    program.declare(stream, flags != cudaStreamNonBlocking);
    return stream;
}

Engine engine_of(StreamCopy::Way way) {
    switch (way) {
        case StreamCopy::Way::upload: return Engine::upload;
        case StreamCopy::Way::download: return Engine::download;
        case StreamCopy::Way::fill: return Engine::memset;
        default: return Engine::copy;
    }
}

}  // namespace

void StreamObserver::fork_begins() { telling_.lock(); }

/// A recursive mutex knows who has it by a number that the thread has in the parent alone.
void StreamObserver::fork_ends(bool in_child) {
    if (in_child)
        std::construct_at(&telling_);
    else
        telling_.unlock();
}

void StreamObserver::copied(const StreamCopy& copy) {
    const std::lock_guard lock(telling_);
    if (copy.way == StreamCopy::Way::on_host || !records()) return;  // no engine's work
    const bool over_link = copy.way == StreamCopy::Way::upload || copy.way == StreamCopy::Way::download;
    StreamTask task{.engine = engine_of(copy.way),
                    .name = !over_link      ? ""
                            : copy.pageable ? "pageable"
                                            : "pinned",
                    .bytes = copy.bytes,
                    .pageable = copy.pageable,
                    .asynchronous = copy.asynchronous,
                    .prefetches = copy.prefetches,
                    .from = reinterpret_cast<std::uint64_t>(copy.from),
                    .to = reinterpret_cast<std::uint64_t>(copy.to),
                    .span = copy.span,
                    .after = {}};
    submitted(task);
    program_.submit(std::move(task), known(program_, copy.stream), copy.host_waits);
    handed_over();
}

void StreamObserver::event_recorded(const void* event, const void* stream) {
    const std::lock_guard lock(telling_);
    if (records()) program_.record_event(event, known(program_, stream));
}
void StreamObserver::stream_waits_for_event(const void* stream, const void* event) {
    const std::lock_guard lock(telling_);
    if (records()) program_.wait_for_event(event, known(program_, stream));
}
void StreamObserver::host_waits_for_stream(const void* stream) {
    const std::lock_guard lock(telling_);
    if (!records()) return;
    program_.host_waits_for_stream(known(program_, stream));
    host_waited();
}
void StreamObserver::host_waits_for_event(const void* event) {
    const std::lock_guard lock(telling_);
    if (!records()) return;
    program_.host_waits_for_event(event);
    host_waited();
}
void StreamObserver::host_waits_for_device() {
    const std::lock_guard lock(telling_);
    if (!records()) return;
    program_.host_waits_for_device();
    host_waited();
}

void StreamObserver::graph_begins(const void* stream) {
    const std::lock_guard lock(telling_);
    if (records()) program_.begin_graph(known(program_, stream));
}
void StreamObserver::graph_step(const void* lane, std::span<const std::size_t> after) {
    const std::lock_guard lock(telling_);
    if (records()) program_.begin_graph_step(lane, after);
}
void StreamObserver::graph_ends() {
    const std::lock_guard lock(telling_);
    if (records()) program_.end_graph();
}

StreamTask StreamObserver::kernel_task(const lanework_simt::Launch& launch) {
    return {.engine = Engine::kernel,
            .name = launch.kernel,
            .blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z,
            .after = {}};
}

void StreamObserver::submit_kernel(StreamTask task, const void* stream, bool host_waits) {
    const std::lock_guard lock(telling_);
    program_.submit(std::move(task), known(program_, stream), host_waits);
    handed_over();
}

}  // namespace lanework
