// Events: the moments at which they were recorded, by a steady clock.
#include <chrono>
#include <lanework_simt/stream.hpp>
#include <optional>

#include "src/simt/api_capture.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/observer.hpp"

struct CUevent_st {
    using Clock = std::chrono::steady_clock;
    unsigned flags;
    int device;
    std::optional<Clock::time_point> recorded;
    lanework_simt::CapturedMoment moment;  ///< if it was last recorded in a capture
};

namespace lanework_simt {

namespace {

constexpr unsigned kEventFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

Handles<CUevent_st>& events() {
    static auto* live = new Handles<CUevent_st>;  // never destroyed: see memory_map()
    return *live;
}

bool good_flags(unsigned flags) {
    const bool shared_but_timed = (flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming);
    return (flags & ~kEventFlags) == 0 && !shared_but_timed;
}

template <class Work>
cudaError_t call_with(cudaEvent_t event, Work&& work) {
    return call([&] { return events().exists(event) ? work() : cudaErrorInvalidResourceHandle; });
}

bool timed(cudaEvent_t event) {
    return events().exists(event) && event->recorded && !(event->flags & cudaEventDisableTiming);
}

}  // namespace

void destroy_events(int device) { events().clear_of(device); }

cudaError_t api::cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t api::cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}
cudaError_t api::cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return call([&] {
        if (event == nullptr || !good_flags(flags)) return cudaErrorInvalidValue;
        *event = events().create(CUevent_st{flags, current_device(), {}, {}});
        return cudaSuccess;
    });
}

cudaError_t api::cudaEventDestroy(cudaEvent_t event) {
    return record(events().destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t api::cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t api::cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    return call_with(event, [&] {
        if (!stream_exists(stream) || device_of(stream) != event->device) return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
        if (capturing(stream)) {
            event->moment = moment_of(stream);
            event->recorded.reset();
            return cudaSuccess;
        }
        event->moment = {};
        event->recorded = CUevent_st::Clock::now();
        if (observer()) observer()->event_recorded(event, stream);
        return cudaSuccess;
    });
}

cudaError_t api::cudaEventQuery(cudaEvent_t event) {
    return call_with(event, [&] {
        if (event->moment.capture) return cudaErrorCapturedEvent;
        if (observer()) observer()->host_may_know();
        return cudaSuccess;
    });
}
cudaError_t api::cudaEventSynchronize(cudaEvent_t event) {
    const cudaError_t error = cudaEventQuery(event);
    if (error == cudaSuccess && observer()) observer()->host_waits_for_event(event);
    return error;
}

cudaError_t api::cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    return call_with(event, [&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
        const bool kept = event->moment.capture != 0 || (capturing(stream) && event->recorded);
        if (kept) return wait_for_moment(stream, event->moment);
        if (observer()) observer()->stream_waits_for_event(stream, event);
        return cudaSuccess;
    });
}

cudaError_t api::cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return call([&] {
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        if (!timed(start) || !timed(end) || start->device != end->device) return cudaErrorInvalidResourceHandle;
        *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded - *start->recorded).count();
        if (observer()) observer()->host_may_know();
        return cudaSuccess;
    });
}

}  // namespace lanework_simt
