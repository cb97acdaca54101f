// Capture: work that is submitted to a stream whose launches are being recorded is kept for a graph instead of being
// done.
#pragma once

#include <functional>
#include <lanework_simt/stream.hpp>
#include <map>

#include "src/simt/api_call.hpp"

namespace lanework_simt {

/// How much of each captured stream's work something comes after: the number of steps of its capture.
using Clock = std::map<const void*, std::size_t>;

/// Where an event was recorded in a capture; number 0 is none.
struct CapturedMoment {
    unsigned long long capture = 0;
    Clock clock;
};

/// Whether work on this stream is kept. At once when nothing is captured anywhere.
bool capturing(const void* stream);
void keep_step(const void* stream, std::function<cudaError_t()> step);
/// What an event that is recorded now on a captured stream stands for.
CapturedMoment moment_of(const void* stream);
/// Makes the stream wait for the moment, and one that was not captured a part of that capture.
cudaError_t wait_for_moment(const void* stream, const CapturedMoment& moment);
/// What a call that would have to wait for a captured stream answers; the capture is no longer any good.
cudaError_t refuse_to_wait(const void* stream);
/// The same for a call that would have to wait for everything; cudaSuccess when nothing is captured.
cudaError_t refuse_to_wait_for_all();
/// What a call that is not safe while this thread's work is captured, as an allocation is not, answers: cudaSuccess
/// unless the mode of a capture forbids it, which is then no longer any good.
cudaError_t refuse_to_allocate();
/// cudaDeviceReset's part.
void destroy_graphs();

/// Does the work of a call on a stream, or keeps it; so it must hold everything that it needs.
template <class Work>
cudaError_t submit(cudaStream_t stream, Work work) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        if (!capturing(stream)) return work();
        keep_step(stream, std::move(work));
        return cudaSuccess;
    });
}

}  // namespace lanework_simt
