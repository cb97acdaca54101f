// Graphs: what was submitted while a stream was captured, in that order, which fulfils every dependency. A launch of
// the graph does it again.
#include <algorithm>
#include <atomic>
#include <lanework_simt/launch.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/simt/api_graph.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt {

namespace {

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

bool is_mode(cudaStreamCaptureMode mode) {
    return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

/// A capture under way: the graph that its steps come into, and what each of its streams comes after.
struct Capture {
    unsigned long long number;
    const void* origin;
    cudaStreamCaptureMode mode;
    cudaGraph_t graph;
    bool of_program;  // the graph was there before
    std::map<const void*, Clock> streams;
    std::thread::id thread = std::this_thread::get_id();  // that began it
    bool broken = false;
    std::vector<cudaGraphNode_t> asked_for = {};  // what the next step on a stream comes after, as it was told last

    /// Whether it forbids calls of this thread that are not safe while work is captured.
    bool forbids_unsafe_calls() const {
        if (mode == cudaStreamCaptureModeRelaxed || mode_of_thread == cudaStreamCaptureModeRelaxed) return false;
        if (thread == std::this_thread::get_id()) return true;
        return mode == cudaStreamCaptureModeGlobal && mode_of_thread == cudaStreamCaptureModeGlobal;
    }

    /// Whether the origin comes after all that was done on the other streams.
    bool joined() const {
        const Clock& known = streams.at(origin);
        return std::all_of(streams.begin(), streams.end(), [&](const auto& stream) {
            const auto own = stream.second.find(stream.first), seen = known.find(stream.first);
            return own == stream.second.end() || (seen != known.end() && seen->second >= own->second);
        });
    }
};

struct Captures {
    std::mutex mutex;
    std::atomic<int> count{0};  // of `live`
    unsigned long long last_number = 0;
    std::vector<std::unique_ptr<Capture>> live;

    Capture* of_stream(const void* stream) const {
        for (const auto& capture : live)
            if (capture->streams.count(stream)) return capture.get();
        return nullptr;
    }
    Capture* numbered(unsigned long long number) const {
        for (const auto& capture : live)
            if (capture->number == number) return capture.get();
        return nullptr;
    }
    /// Into a graph of the program, or into one of its own.
    void begin(const void* origin, cudaStreamCaptureMode mode, cudaGraph_t into, const Clock& after) {
        cudaGraph_t graph = into ? into : graphs().create();
        live.push_back(
            std::make_unique<Capture>(Capture{++last_number, origin, mode, graph, into != nullptr, {{origin, after}}}));
        count = int(live.size());
    }
    void end(const Capture* ended) {
        live.erase(std::find_if(live.begin(), live.end(), [&](const auto& each) { return each.get() == ended; }));
        count = int(live.size());
    }
};

Captures& captures() {
    static auto* all = new Captures;  // never destroyed: see memory_map()
    return *all;
}
bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

/// The numbers of the steps that the next one on a stream comes after.
std::vector<std::size_t> steps_before(const Clock& clock) {
    std::vector<std::size_t> steps;
    for (const auto& [stream, count] : clock)
        if (count > 0) steps.push_back(count - 1);
    return steps;
}

cudaError_t run_steps(const Steps& steps) {
    for (const Step& step : steps) {
        if (observer()) observer()->graph_step(step.stream, step.after);
        if (const cudaError_t error = step.work(); error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t run(const Steps& steps, cudaStream_t stream) {
    if (observer()) observer()->graph_begins(stream);
    const cudaError_t error = run_steps(steps);
    if (observer()) observer()->graph_ends();
    return error;
}

cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph) {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    if (graph) *graph = nullptr;
    const Capture* const capture = all.of_stream(stream);
    if (!graph && !(capture && capture->of_program)) return cudaErrorInvalidValue;
    if (!capture) return cudaErrorIllegalState;
    if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
    const cudaError_t error = capture->broken      ? cudaErrorStreamCaptureInvalidated
                              : !capture->joined() ? cudaErrorStreamCaptureUnjoined
                                                   : cudaSuccess;
    const cudaGraph_t captured = capture->graph;
    if (error != cudaSuccess && !capture->of_program) graphs().destroy(captured);
    if (graph && error == cudaSuccess) *graph = captured;
    all.end(capture);
    return error;
}

/// What comes after these nodes of a graph; nothing for a node of another.
std::optional<Clock> clock_after(cudaGraph_t graph, const cudaGraphNode_t* after, size_t count) {
    Clock clock;
    if (count != 0 && !after) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
        if (!is_node_of(after[i], graph)) return std::nullopt;
        clock[after[i]] = after[i]->number + 1;
    }
    return clock;
}

}  // namespace

Handles<CUgraph_st>& graphs() {
    static auto* live = new Handles<CUgraph_st>;
    return *live;
}
Handles<CUgraphExec_st>& executables() {
    static auto* live = new Handles<CUgraphExec_st>;
    return *live;
}

cudaError_t run_graph(const Steps& steps, cudaStream_t stream) { return run(steps, stream); }

/// Of what could be next, what was added first: a step added later may have been made another's predecessor.
Steps in_order(const Steps& steps) {
    std::vector<std::size_t> place(steps.size(), steps.size());
    Steps sorted;
    while (sorted.size() < steps.size()) {
        std::size_t next = 0;
        const auto waits = [&](const Step& step) {
            return std::any_of(step.after.begin(), step.after.end(),
                               [&](std::size_t before) { return place[before] == steps.size(); });
        };
        while (next < steps.size() && (place[next] != steps.size() || waits(steps[next]))) ++next;
        if (next == steps.size()) return {};
        place[next] = sorted.size();
        sorted.push_back(steps[next]);
        for (std::size_t& before : sorted.back().after) before = place[before];
    }
    return sorted;
}

bool capturing(const void* stream) {
    Captures& all = captures();
    if (all.count == 0) return false;
    const std::lock_guard lock(all.mutex);
    return all.of_stream(stream) != nullptr;
}

void keep_step(const void* stream, std::function<cudaError_t()> step) {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    Capture& capture = *all.of_stream(stream);
    Clock& clock = capture.streams[stream];
    Steps& steps = capture.graph->steps;
    const std::size_t number = steps.size();
    steps.push_back({std::move(step), stream, steps_before(clock), number, cudaGraphNodeTypeKernel, {}});
    clock[stream] = steps.size();
}

void keep_launch(const Launch& launch, const void* kept, void (*forget)(const void* kept)) {
    Launch later = launch;
    later.stream = nullptr;  // graphs are launched where everything is done in order
    keep_step(launch.stream, [later, shared = std::shared_ptr<const void>(kept, forget)] {
        launch_grid(later);
        return cudaPeekAtLastError();
    });
}

void refuse_to_keep(const Launch& launch) {
    refuse_to_wait(launch.stream);
    record(cudaErrorStreamCaptureUnsupported, std::string(launch.kernel) + " is known by a variable's value only");
}

CapturedMoment moment_of(const void* stream) {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    const Capture& capture = *all.of_stream(stream);
    return {capture.number, capture.streams.at(stream)};
}

cudaError_t wait_for_moment(const void* stream, const CapturedMoment& moment) {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    Capture *const own = all.of_stream(stream), *const other = all.numbered(moment.capture);
    if (!other) return own ? cudaErrorStreamCaptureIsolation : cudaErrorCapturedEvent;
    if (own && own != other) return cudaErrorStreamCaptureMerge;
    Clock& clock = other->streams[stream];
    for (const auto& [waited_for, steps] : moment.clock) clock[waited_for] = std::max(clock[waited_for], steps);
    return cudaSuccess;
}

cudaError_t refuse_to_wait(const void* stream) {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    if (Capture* const capture = all.of_stream(stream)) capture->broken = true;
    return cudaErrorStreamCaptureUnsupported;
}

namespace {
/// Breaks all captures for which the condition holds.
template <class Condition>
cudaError_t refuse_in(Condition is_in_the_way) {
    Captures& all = captures();
    if (all.count == 0) return cudaSuccess;
    const std::lock_guard lock(all.mutex);
    cudaError_t answer = cudaSuccess;
    for (const auto& capture : all.live)
        if (is_in_the_way(*capture)) {
            capture->broken = true;
            answer = cudaErrorStreamCaptureUnsupported;
        }
    return answer;
}
}  // namespace

cudaError_t refuse_to_wait_for_all() {
    return refuse_in([](const Capture&) { return true; });
}
cudaError_t refuse_to_allocate() {
    return refuse_in([](const Capture& capture) { return capture.forbids_unsafe_calls(); });
}

void destroy_graphs() {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    all.live.clear();
    all.count = 0;
    graphs().clear();
    executables().clear();
}

namespace {
cudaError_t begin_capture(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t into, const Clock& after) {
    if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
    if (!is_mode(mode)) return cudaErrorInvalidValue;
    if (is_legacy(stream)) return cudaErrorStreamCaptureUnsupported;
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    if (all.of_stream(stream)) return cudaErrorIllegalState;
    all.begin(stream, mode, into, after);
    return cudaSuccess;
}

template <class T, class Value>
void tell(T* to, Value value) {
    if (to != nullptr) *to = value;
}
}  // namespace

cudaError_t api::cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return call([&] { return begin_capture(stream, mode, nullptr, {}); });
}
cudaError_t api::cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                               const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode mode) {
    return call([&] {
        if (!graphs().exists(graph)) return cudaErrorInvalidValue;
        const auto clock = clock_after(graph, after, count);
        return clock ? begin_capture(stream, mode, graph, *clock) : cudaErrorInvalidValue;
    });
}

cudaError_t api::cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        return end_capture(stream, graph);
    });
}

cudaError_t api::cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return call([&] {
        if (mode == nullptr || !is_mode(*mode)) return cudaErrorInvalidValue;
        std::swap(mode_of_thread, *mode);
        return cudaSuccess;
    });
}

cudaError_t api::cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        Captures& all = captures();
        const std::lock_guard lock(all.mutex);
        const Capture* const capture = all.of_stream(stream);
        *status = !capture          ? cudaStreamCaptureStatusNone
                  : capture->broken ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
        return cudaSuccess;
    });
}

cudaError_t api::cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                          cudaGraph_t* graph, const cudaGraphNode_t** after,
                                          const cudaGraphEdgeData** edges, size_t* count) {
    if (const cudaError_t error = cudaStreamIsCapturing(stream, status); error != cudaSuccess) return error;
    return call([&] {
        Captures& all = captures();
        const std::lock_guard lock(all.mutex);
        Capture* const capture = all.of_stream(stream);
        tell(edges, nullptr);
        if (!capture) return cudaSuccess;
        capture->asked_for.clear();
        for (const std::size_t step : steps_before(capture->streams[stream]))
            capture->asked_for.push_back(node_of(*capture->graph, step));
        tell(id, capture->number);
        tell(graph, capture->graph);
        tell(after, capture->asked_for.data());
        tell(count, capture->asked_for.size());
        return cudaSuccess;
    });
}
cudaError_t api::cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                     const cudaGraphEdgeData*, size_t count, unsigned int flags) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        Captures& all = captures();
        const std::lock_guard lock(all.mutex);
        Capture* const capture = all.of_stream(stream);
        if (!capture) return cudaErrorIllegalState;
        auto clock = clock_after(capture->graph, after, count);
        if (!clock || flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
        if (flags == cudaStreamAddCaptureDependencies) clock->merge(capture->streams[stream]);
        capture->streams[stream] = std::move(*clock);
        return cudaSuccess;
    });
}

cudaError_t api::cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
    return call([&] {
        if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
        *graph = graphs().create();
        return cudaSuccess;
    });
}

cudaError_t api::cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    return call([&] {
        if (executable == nullptr || !graphs().exists(graph)) return cudaErrorInvalidValue;
        Steps steps = in_order(graph->steps);
        if (steps.size() != graph->steps.size()) return cudaErrorInvalidValue;  // they wait for each other
        *executable = executables().create(CUgraphExec_st{std::move(steps), graph->conditions});
        return cudaSuccess;
    });
}

cudaError_t api::cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    if (!executables().exists(executable)) return record(cudaErrorInvalidValue);
    return submit(stream, [steps = executable->steps, conditions = executable->conditions, stream] {
        begin_conditions(conditions);
        return run(steps, stream);
    });
}

cudaError_t api::cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return record(executables().destroy(executable) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t api::cudaGraphDestroy(cudaGraph_t graph) {
    return record(graphs().destroy(graph) ? cudaSuccess : cudaErrorInvalidValue);
}

}  // namespace lanework_simt
