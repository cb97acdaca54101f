// CUPTI's activity records, with the types of its own header and the functions of a library that is opened when the
// program runs. Its callbacks carry no data of the caller's, so what they fill is static.
#include "src/timeline/cupti_recorder.hpp"

#include <cupti.h>
#include <fmt/format.h>

#include <cstdlib>
#include <lanework/error.hpp>
#include <mutex>
#include <utility>

#include "src/core/shared_library.hpp"
#include "src/timeline/cupti_library.hpp"

namespace lanework {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20, kBufferAlignment = 64;
constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
                                         CUPTI_ACTIVITY_KIND_RUNTIME};

const SharedLibrary& opened_library() {
    const auto variable = [](const char* name) -> const char* { return std::getenv(name); };
    static const std::vector<std::string> places = cupti_candidates(LANEWORK_CUPTI_MAJOR, variable);
    std::vector<const char*> names;
    for (const std::string& place : places) names.push_back(place.c_str());
    // Never closed: it hooks itself into the driver.
    static const SharedLibrary& library = *new SharedLibrary(names);
    return library;
}

/// The library's functions, under the types of its header.
struct Cupti {
    const SharedLibrary& library = opened_library();
    decltype(&cuptiGetVersion) get_version = find<decltype(&cuptiGetVersion)>("cuptiGetVersion");
    decltype(&cuptiGetTimestamp) get_timestamp = find<decltype(&cuptiGetTimestamp)>("cuptiGetTimestamp");
    decltype(&cuptiGetResultString) result_string = find<decltype(&cuptiGetResultString)>("cuptiGetResultString");
    decltype(&cuptiActivityRegisterCallbacks) register_callbacks =
        find<decltype(&cuptiActivityRegisterCallbacks)>("cuptiActivityRegisterCallbacks");
    decltype(&cuptiActivityEnable) enable = find<decltype(&cuptiActivityEnable)>("cuptiActivityEnable");
    decltype(&cuptiActivityDisable) disable = find<decltype(&cuptiActivityDisable)>("cuptiActivityDisable");
    decltype(&cuptiActivityFlushAll) flush_all = find<decltype(&cuptiActivityFlushAll)>("cuptiActivityFlushAll");
    decltype(&cuptiActivityGetNextRecord) next_record =
        find<decltype(&cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord");
    decltype(&cuptiGetCallbackName) callback_name = find<decltype(&cuptiGetCallbackName)>("cuptiGetCallbackName");
    decltype(&cuptiActivityGetNumDroppedRecords) dropped_records =
        find<decltype(&cuptiActivityGetNumDroppedRecords)>("cuptiActivityGetNumDroppedRecords");

    template <class Function>
    Function find(const char* name) const {
        return library.function<Function>(name);
    }

    /// Why nothing can be recorded with it, in one line; empty when something can.
    std::string refusal() const {
        if (!library)
            return fmt::format(
                "CUPTI was not found: libcupti.so.{0} cannot be opened; install it with the CUDA toolkit (package "
                "cuda-cupti-{0}-0) or with pip (nvidia-cuda-cupti), or name the file with LANEWORK_CUPTI",
                LANEWORK_CUPTI_MAJOR);
        if (!get_version || !get_timestamp || !result_string || !register_callbacks || !enable || !disable ||
            !flush_all || !next_record || !callback_name || !dropped_records)
            return fmt::format("the CUPTI that was found lacks a function that is called here: {}", library.name());
        return cupti_version_refusal(version(), CUPTI_API_VERSION);
    }
    unsigned version() const {
        std::uint32_t number = 0;
        get_version(&number);
        return number;
    }
    void check(CUptiResult result, const char* function) const {
        if (result == CUPTI_SUCCESS) return;
        const char* name = nullptr;
        result_string(result, &name);
        throw UnavailableError(cupti_failure(function, result, name ? name : ""));
    }
};

const Cupti& cupti() {
    static const Cupti instance;
    return instance;
}

/// What the callbacks fill.
struct Records {
    std::mutex mutex;
    std::vector<Activity> list;
    std::vector<HostActivity> calls;
    std::size_t dropped = 0;
};
Records& records() {
    static Records& all = *new Records;  // the callbacks may come until the program ends
    return all;
}

Engine engine_of_copy(unsigned kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return Engine::upload;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return Engine::download;
        default: return Engine::copy;
    }
}

// Of the host's side of a copy.
std::string memory_name(Engine engine, unsigned from, unsigned to) {
    if (engine == Engine::copy) return {};
    switch (engine == Engine::upload ? from : to) {
        case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE: return "pageable";
        case CUPTI_ACTIVITY_MEMORY_KIND_PINNED: return "pinned";
        case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED: return "managed";
        default: return {};
    }
}

template <class Copy>
Activity activity_of_copy(const Copy& copy) {
    const Engine engine = engine_of_copy(copy.copyKind);
    return {engine,
            memory_name(engine, copy.srcKind, copy.dstKind),
            static_cast<int>(copy.streamId),
            copy.start,
            copy.end,
            copy.bytes};
}

HostActivity activity_of_call(const CUpti_ActivityAPI& call) {
    const char* name = nullptr;
    if (cupti().callback_name(CUPTI_CB_DOMAIN_RUNTIME_API, call.cbid, &name) != CUPTI_SUCCESS) name = nullptr;
    return {name ? name : "?", call.start, call.end};
}

void keep(const CUpti_Activity& record, Records& all) {
    std::vector<Activity>& list = all.list;
    switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_RUNTIME:
            all.calls.push_back(activity_of_call(reinterpret_cast<const CUpti_ActivityAPI&>(record)));
            break;
        case CUPTI_ACTIVITY_KIND_KERNEL:
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
            list.push_back({Engine::kernel, kernel.name ? kernel.name : "?", static_cast<int>(kernel.streamId),
                            kernel.start, kernel.end, 0});
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            list.push_back(activity_of_copy(reinterpret_cast<const CUpti_ActivityMemcpy6&>(record)));
            break;
        case CUPTI_ACTIVITY_KIND_MEMCPY2:
            list.push_back(activity_of_copy(reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(record)));
            break;
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
            list.push_back({Engine::memset, {}, static_cast<int>(fill.streamId), fill.start, fill.end, fill.bytes});
            break;
        }
        default: break;
    }
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
    *bytes = *buffer ? kBufferBytes : 0;
    *most_records = 0;  // as many as fit
}

void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                               std::size_t valid_bytes) {
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    CUpti_Activity* record = nullptr;
    while (cupti().next_record(buffer, valid_bytes, &record) == CUPTI_SUCCESS) keep(*record, all);
    std::size_t dropped = 0;
    if (cupti().dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) all.dropped += dropped;
    std::free(buffer);
}

}  // namespace

CuptiRecorder::CuptiRecorder() {
    if (const std::string reason = cupti().refusal(); !reason.empty()) throw UnavailableError(reason);
    records().dropped = 0;
    cupti().check(cupti().register_callbacks(buffer_requested, buffer_completed), "cuptiActivityRegisterCallbacks");
    for (const CUpti_ActivityKind kind : kKinds) cupti().check(cupti().enable(kind), "cuptiActivityEnable");
    take();
}

CuptiRecorder::~CuptiRecorder() {
    for (const CUpti_ActivityKind kind : kKinds) cupti().disable(kind);
    cupti().flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

std::uint64_t CuptiRecorder::now() const {
    std::uint64_t time = 0;
    cupti().check(cupti().get_timestamp(&time), "cuptiGetTimestamp");
    return time;
}

std::vector<Activity> CuptiRecorder::take() {
    // What is complete first; a forced flush alone could hand over records without their times.
    for (const std::uint32_t flag : {std::uint32_t{0}, std::uint32_t{CUPTI_ACTIVITY_FLAG_FLUSH_FORCED}})
        cupti().check(cupti().flush_all(flag), "cuptiActivityFlushAll");
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    return std::exchange(all.list, {});
}

std::vector<HostActivity> CuptiRecorder::take_calls() {
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    return std::exchange(all.calls, {});
}

std::size_t CuptiRecorder::dropped() const {
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    return all.dropped;
}

std::string CuptiRecorder::version() const { return "CUPTI " + cupti_version(cupti().version()); }

}  // namespace lanework
