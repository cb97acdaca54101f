// Watches streams, and reads off every kernel's tapes what it moves.
#include "src/timeline/stream_recorder.hpp"

#include <algorithm>
#include <utility>

#include "src/gpu/memory_units.hpp"

namespace lanework {

StreamRecorder::StreamRecorder() { lanework_simt::set_observer(this); }
StreamRecorder::~StreamRecorder() { lanework_simt::set_observer(nullptr); }

void StreamRecorder::launch_begins(const lanework_simt::Launch& launch) {
    kernel_ = kernel_task(launch);
    kernel_stream_ = launch.stream;
    traffic_.clear();
}

void StreamRecorder::launch_ends(const lanework_simt::LaunchEnd&) {
    kernel_.bytes = traffic_.device_bytes();
    kernel_.read_over_link = traffic_.read_over_link();
    kernel_.written_over_link = traffic_.written_over_link();
    submit_kernel(std::move(kernel_), kernel_stream_);
}

void StreamRecorder::block_synchronized(const lanework_simt::ObservedBlock& block) {
    traffic_.read(block, 0, block.threads);
}
void StreamRecorder::warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) {
    const unsigned first = warp * kLanes;
    traffic_.read(block, first, std::min(kLanes, block.threads - first));
}

}  // namespace lanework
