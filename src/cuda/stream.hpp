// Streams and events that end with their owner.
#pragma once

#include <utility>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A stream that does not synchronise with the legacy default stream.
class Stream {
public:
    Stream() { LANEWORK_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }

    cudaStream_t get() const { return stream_; }
    void synchronize() const { LANEWORK_CHECK(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

/// A point in a stream with a time stamp.
class Event {
public:
    Event() { LANEWORK_CHECK(cudaEventCreate(&event_)); }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    Event& operator=(Event&&) = delete;
    ~Event() {
        if (event_) cudaEventDestroy(event_);
    }

    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream) const { LANEWORK_CHECK(cudaEventRecord(event_, stream)); }
    void synchronize() const { LANEWORK_CHECK(cudaEventSynchronize(event_)); }
    /// Whether the stream has come this far; does not wait. Launches must have been checked before.
    bool is_reached() const {
        const cudaError_t code = cudaEventQuery(event_);
        if (code != cudaErrorNotReady) LANEWORK_CHECK(code);
        if (code == cudaErrorNotReady) cudaGetLastError();  // an answer, which is kept as an error would be
        return code == cudaSuccess;
    }
    /// Seconds from `start` to this event; both must have been recorded and reached.
    double seconds_since(const Event& start) const {
        float milliseconds = 0;
        LANEWORK_CHECK(cudaEventElapsedTime(&milliseconds, start.event_, event_));
        return milliseconds * 1e-3;
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// What is launched on the stream from now on comes after the event.
inline void wait(cudaStream_t stream, const Event& event) {
    LANEWORK_CHECK(cudaStreamWaitEvent(stream, event.get(), 0));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
