// From the simt device's words to those of a program of streams.
#include "src/timeline/stream_recorder.hpp"

#include <algorithm>
#include <lanework_simt/stream.hpp>

#include "src/gpu/memory_units.hpp"

namespace lanework {
namespace {

using lanework_simt::cudaStream_t;
using lanework_simt::StreamCopy;

/// The legacy default stream has two names.
const void* known(StreamProgram& program, const void* stream) {
    if (stream == cudaStreamLegacy) return nullptr;
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

StreamRecorder::StreamRecorder() { lanework_simt::set_observer(this); }
StreamRecorder::~StreamRecorder() { lanework_simt::set_observer(nullptr); }

void StreamRecorder::copied(const StreamCopy& copy) {
    if (copy.way == StreamCopy::Way::on_host) return;  // no engine's work
    const bool over_link = copy.way == StreamCopy::Way::upload || copy.way == StreamCopy::Way::download;
    StreamTask task{.engine = engine_of(copy.way),
                    .name = !over_link      ? ""
                            : copy.pageable ? "pageable"
                                            : "pinned",
                    .bytes = copy.bytes,
                    .pageable = copy.pageable,
                    .after = {}};
    program_.submit(std::move(task), known(program_, copy.stream), copy.host_waits);
}

void StreamRecorder::event_recorded(const void* event, const void* stream) {
    program_.record_event(event, known(program_, stream));
}
void StreamRecorder::stream_waits_for_event(const void* stream, const void* event) {
    program_.wait_for_event(event, known(program_, stream));
}
void StreamRecorder::host_waits_for_stream(const void* stream) {
    program_.host_waits_for_stream(known(program_, stream));
}
void StreamRecorder::host_waits_for_event(const void* event) { program_.host_waits_for_event(event); }
void StreamRecorder::host_waits_for_device() { program_.host_waits_for_device(); }

void StreamRecorder::graph_begins(const void* stream) { program_.begin_graph(known(program_, stream)); }
void StreamRecorder::graph_step(const void* lane, std::span<const std::size_t> after) {
    program_.begin_graph_step(lane, after);
}
void StreamRecorder::graph_ends() { program_.end_graph(); }

void StreamRecorder::launch_begins(const lanework_simt::Launch& launch) {
    kernel_ = {.engine = Engine::kernel,
               .name = launch.kernel,
               .blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z,
               .after = {}};
    kernel_stream_ = launch.stream;
    traffic_.clear();
}

void StreamRecorder::launch_ends(const lanework_simt::LaunchEnd&) {
    kernel_.bytes = traffic_.device_bytes();
    kernel_.read_over_link = traffic_.read_over_link();
    kernel_.written_over_link = traffic_.written_over_link();
    program_.submit(std::move(kernel_), known(program_, kernel_stream_), false);
}

void StreamRecorder::block_synchronized(const lanework_simt::ObservedBlock& block) {
    traffic_.read(block, 0, block.threads);
}
void StreamRecorder::warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) {
    const unsigned first = warp * kLanes;
    traffic_.read(block, first, std::min(kLanes, block.threads - first));
}

}  // namespace lanework
