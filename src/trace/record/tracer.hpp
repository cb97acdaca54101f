// The tracer watches the simt device: it reads the tapes that threads write, warp by warp, and shows analysers what the
// warps did. What they counted is kept per launch.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "src/simt/observer.hpp"
#include "src/timeline/stream_observer.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/worst_requests.hpp"
#include "src/trace/record/host_calls.hpp"
#include "src/trace/record/host_memory.hpp"
#include "src/trace/record/machine_trace.hpp"
#include "src/trace/record/managed_pages.hpp"
#include "src/trace/record/repeated_launches.hpp"
#include "src/trace/record/source_lines.hpp"
#include "src/trace/record/stream_order.hpp"
#include "src/trace/record/warp_reader.hpp"

namespace lanework {

struct TracerOptions {
    /// Count what each site costs; without, only the further analysers see the launches.
    bool counters = true;
    /// Which launches to trace; all of them where it is empty.
    std::function<bool(const lanework_simt::Launch&)> wants = {};
    /// Asked as each block of a traced launch begins, behind so many others: whether it is followed. Once one is not,
    /// none that begins later in the launch is. Empty: all are.
    std::function<bool(const LaunchShape&, std::uint64_t begun)> follows = {};
    /// Asked between events of a traced launch: whether what it showed is to be told now, since the process ends. If so
    /// `ends_early` is called, once the analysers know all that happened until now.
    std::function<bool()> is_to_end = {};
    std::function<void(const LaunchShape&, std::uint64_t begun)> ends_early = {};
    /// Called when a launch was traced to its end, and is one of take_launches().
    std::function<void()> launch_ended = {};
    /// Knows launches that need not be run, and is one of the further analysers; null for nobody. Where some launches
    /// alone are traced, those are run all the same. `launch_repeated` is called for each that is not.
    RepeatedLaunches* repeated = nullptr;
    std::function<void()> launch_repeated = {};
    /// Called for a launch that the device cannot run, with the reason.
    std::function<void(const lanework_simt::Launch&, std::string_view)> launch_refused = {};
    /// Called for a copy from the device to the host.
    std::function<void(const lanework_simt::StreamCopy&)> copied_home = {};
    /// Is told what the host does with memory; null for nobody.
    HostMemory* host_memory = nullptr;
    /// Is told what is handed to streams, while that is written down, and is one of the further analysers; null for
    /// nobody.
    StreamOrder* stream_order = nullptr;
};

/// Watches from its construction to its end; one at a time.
class Tracer final : public StreamObserver {
public:
    /// Counts, and shows the further analysers the same events. They outlive the tracer.
    explicit Tracer(std::vector<Analyser*> further = {}, TracerOptions options = {});
    Tracer(const Tracer&) = delete;
    Tracer& operator=(const Tracer&) = delete;
    ~Tracer() override;

    /// Counts the launches' machine code too: `codes` hold that of every kernel that may be launched, one for each file
    /// that was compiled, and outlive the tracer.
    void follow(std::span<const MachineCode> codes) { machine_ = std::make_unique<MachineTracer>(codes); }

    /// From now on, or no longer, what is handed to streams is written down.
    void record_streams(bool on) { records_streams_ = on; }
    /// What was; null where it was nothing, or more than anybody would draw.
    std::shared_ptr<const StreamTrace> streams();

    /// While it is held, no other thread of the host tells anything.
    std::unique_lock<std::recursive_mutex> hold() const { return std::unique_lock(telling_); }

    SourcePlace place_of(std::uint64_t pc);
    /// Where the program hands over a task that was written down.
    SourcePlace place_of_task(std::size_t task);
    /// The launches since the last call.
    std::vector<KernelTrace> take_launches();

    void memory_allocated(const void* base, std::size_t bytes, lanework_simt::Origin origin) override;
    void memory_released(const void* base, std::size_t bytes, lanework_simt::Origin origin) override;
    void read_mostly(const void* base, std::size_t bytes, bool is) override;
    void memory_written(const void* base, std::size_t bytes) override;
    void memory_changed(const void* base, std::size_t bytes) override;
    void copied(const lanework_simt::StreamCopy& copy) override;
    void library_called(const lanework_simt::LibraryCall& call) override;
    void host_may_know() override;
    void graph_begins(const void* stream) override;
    void free_refused(const void* pointer) override;
    void copy_refused(const void* pointer, std::size_t bytes, bool writes) override;
    void symbol_refused(const void* symbol, std::size_t bytes) override;
    lanework_simt::LaunchPlan plan(const lanework_simt::Launch& launch, bool natural) override;
    void launch_begins(const lanework_simt::Launch& launch) override;
    void launch_ends(const lanework_simt::LaunchEnd& end) override;
    void block_begins(const lanework_simt::ObservedBlock& block) override;
    void block_synchronized(const lanework_simt::ObservedBlock& block) override;
    void grid_synchronized() override;
    void launch_refused(const lanework_simt::Launch& launch, std::string_view reason) override;
    void block_ends(const lanework_simt::ObservedBlock& block) override;
    void warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) override;
    void index_out_of_bounds(const lanework_simt::ObservedBlock& block, unsigned thread, std::uint64_t pc,
                             long long index) override;

protected:
    bool records() const override;
    void submitted(const StreamTask& task) override;
    void handed_over() override;
    void host_waited() override;

private:
    /// Of each task that was written down: the calls of the host, or the place of a launch.
    struct Submitted {
        HostCalls calls;
        SourcePlace place;
        std::optional<std::size_t> launch;
        /// The stream order knows what it touches.
        bool watched = false;
    };

    void submit(const lanework_simt::Launch& launch);
    void hand_over(Submitted kernel, StreamTask task, const void* stream, bool host_waits = false);
    SourcePlace error_place(const lanework_simt::LaunchEnd& end);
    void add_memory(StreamTask& task, const TouchedMemory& touched);
    std::vector<std::string> functions_of_launch();
    bool is_followed(std::uint64_t block) const;
    bool follows_next();
    void end_if_asked();
    template <class Tell>
    void tell(Tell&& tell) {
        for (Analyser* analyser : analysers_) tell(*analyser);
    }

    TracerOptions options_;
    std::vector<std::unique_ptr<Analyser>> own_;
    WorstRequests worst_;
    std::vector<Analyser*> analysers_;
    std::unique_ptr<SiteTable> sites_;
    std::unique_ptr<WarpReader> reader_;
    std::vector<std::uint64_t> followed_;  // blocks that run
    LaunchShape shape_;
    /// Blocks of the launch that began, and of these the ones that nobody follows.
    std::uint64_t begun_ = 0, left_out_ = 0;
    SourceLines lines_;
    std::unique_ptr<MachineTracer> machine_;
    std::vector<KernelTrace> launches_;
    bool records_streams_ = false;
    std::vector<Submitted> submitted_;
    /// Of the launch that is traced, which is handed over when it ends.
    Submitted launched_;
    StreamTask task_;
    std::size_t launches_so_far_ = 0;
    ManagedPages managed_;
};

}  // namespace lanework
