// What a program handed to streams: every piece of work, and what it has to wait for by the rules of CUDA's streams,
// events, graphs and the default stream. It knows no time.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "src/timeline/timeline.hpp"

namespace lanework {

/// One piece of work for an engine.
struct StreamTask {
    Engine engine = Engine::kernel;
    std::string name;
    /// Kernels of a library that one of its functions launches, by whose name they go.
    bool library = false;
    /// Of a kernel, how many blocks it has; 0: enough to fill the GPU.
    std::uint64_t blocks = 0;
    /// Bytes of device memory that it moves; of a copy between host and device those that cross the link.
    std::uint64_t bytes = 0;
    /// Bytes of page-locked host memory that a kernel itself reads and writes, across the link.
    std::uint64_t read_over_link = 0, written_over_link = 0;
    /// The host's side of a copy is not page-locked, so that the host's own thread must copy first.
    bool pageable = false;
    /// Of a copy, that the call names a stream: from page-locked memory it would return at once.
    bool asynchronous = false;
    /// Of a copy, that it only says where managed pages are to be.
    bool prefetches = false;
    /// Bytes of managed memory that a kernel touches and nobody sent to the device: they come page by page, as it runs.
    std::uint64_t faulted = 0;
    /// The same, sent before it begins.
    std::uint64_t fetched = 0;
    /// What it takes, by somebody who knows better than its bytes of device memory say; 0 for nobody.
    double seconds = 0;
    /// Addresses that a copy or a fill reads and writes, `span` bytes from the first to the last; 0 where there is
    /// none.
    std::uint64_t from = 0, to = 0, span = 0;
    /// Numbers of streams mean nothing; equal ones are the same stream.
    int stream = 0;
    /// Earlier tasks that must be done before it begins.
    std::vector<std::size_t> after;
    /// Those of them that are of other streams, and must be since this one or they are of the default stream.
    std::vector<std::size_t> after_default = {};
};

/// One call of the host: the tasks that it hands over, from `first` to before `end`, and what it returns after.
struct HostCall {
    std::size_t first = 0, end = 0;
    std::vector<std::size_t> waits_for;
};

/// All tasks, and the calls that hand them over.
struct StreamWork {
    std::vector<StreamTask> tasks;
    std::vector<HostCall> calls;
};

/// Streams are named by their handles. Null is the legacy default stream: its work waits for that of every other
/// blocking stream, and theirs for its.
class StreamProgram {
public:
    using Handle = const void*;

    /// Whether the stream waits for the default stream and is waited for by it; streams do unless they are declared
    /// otherwise (cudaStreamNonBlocking).
    void declare(Handle stream, bool blocking);

    /// Appends work to a stream, or to the step of the graph that is being launched.
    void submit(StreamTask task, Handle stream, bool host_waits);
    void record_event(Handle event, Handle stream);
    void wait_for_event(Handle event, Handle stream);
    void host_waits_for_stream(Handle stream);
    void host_waits_for_event(Handle event);
    void host_waits_for_device();

    /// A graph: steps, each of which comes after others. Work that is submitted within belongs to the last step that
    /// was begun; `lane` is the stream that it was captured from. Steps may launch graphs in turn.
    void begin_graph(Handle stream);
    void begin_graph_step(Handle lane, std::span<const std::size_t> after);
    void end_graph();

    /// A graph is being launched: its work goes to no stream.
    bool in_graph() const { return !graphs_.empty(); }

    const StreamWork& work() const { return work_; }
    const std::vector<StreamTask>& tasks() const { return work_.tasks; }
    const std::vector<HostCall>& calls() const { return work_.calls; }

private:
    /// What comes next in a stream waits for these.
    using Tail = std::vector<std::size_t>;
    struct Lane {
        bool blocking = true;
        Tail tail;
    };
    struct Step {
        Handle lane = nullptr;
        Tail tail;
        bool followed = false;
    };
    struct Graph {
        Handle stream;
        Tail before;
        std::vector<Step> steps;
    };

    /// Of the stream's own work, and of other streams' because one of the two is the default stream.
    Tail own_tail(Handle stream) const;
    Tail default_tail(Handle stream) const;
    Tail before_next(Handle stream) const;
    void set_tail(Handle stream, Tail tail);
    void host_waits_for(Tail tail);
    int number_of(Handle stream);

    StreamWork work_;
    std::map<Handle, Lane> streams_;
    std::map<Handle, Tail> events_;
    std::map<Handle, int> numbers_;
    std::vector<Graph> graphs_;  // the one being launched, within those that launch it
    std::size_t first_of_graph_ = 0;
};

}  // namespace lanework
