// From the device's events to the analysers' and to the record of each launch.
#include "src/trace/record/tracer.hpp"

#include <algorithm>
#include <cstring>

#include "src/gpu/memory_units.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/trace/analyse/banks.hpp"
#include "src/trace/analyse/branches.hpp"
#include "src/trace/analyse/coalescing.hpp"
#include "src/trace/analyse/footprint.hpp"
#include "src/trace/analyse/own_memory.hpp"
#include "src/trace/analyse/pace.hpp"
#include "src/trace/record/host_code.hpp"
#include "src/trace/record/program_memory.hpp"
#include "src/trace/record/unrolled_loops.hpp"
#include "src/trace/rules/rules.hpp"

// The hook that every basic block of an instrumented kernel begins with.
extern "C" void __sanitizer_cov_trace_pc();

namespace lanework {
namespace {

/// Where the basic block ends that `pc` lies in: at the call of the hook that begins the next one, right behind the
/// branch. `pc` itself where no such call is found, as on processors whose calls are not known here.
std::uint64_t end_of_block(std::uint64_t pc) {
#if defined(__x86_64__)
    constexpr std::uint64_t kFarthest = 4096;
    constexpr unsigned char kCall = 0xe8;
    const auto hook = reinterpret_cast<std::uint64_t>(&__sanitizer_cov_trace_pc);
    for (std::uint64_t at = pc; at < pc + kFarthest; ++at) {
        if (read_code<unsigned char>(at) != kCall) continue;
        const auto distance = read_code<std::int32_t>(at + 1);
        const std::uint64_t target = at + 1 + sizeof distance + static_cast<std::uint64_t>(std::int64_t{distance});
        if (target == hook || behind_linkage_table(target) == hook) return at;
    }
#endif
    return pc;
}

/// What a basic block computes, in instructions of a GPU.
CodeOnGpu computed([[maybe_unused]] std::uint64_t begin, [[maybe_unused]] std::uint64_t end,
                   [[maybe_unused]] SourceLines& lines) {
#if defined(__x86_64__)
    return code_on_gpu(
        {reinterpret_cast<const std::uint8_t*>(begin), end - begin},
        [&](std::size_t at) { return lines.emulates(begin + at + 1); },
        [&](std::int64_t target) {
            return gpu_instructions_of_function(behind_linkage_table(begin + static_cast<std::uint64_t>(target)));
        });
#else
    return {};
#endif
}

/// Of streams that are written down: more, and what waits for what is nothing that anybody would read.
constexpr std::size_t kMostTasks = 16384;

SourcePlace launch_place(const lanework_simt::Launch& launch) {
    return {.file = project_file(launch.place.file), .line = launch.place.line, .column = 0, .function = {}};
}

}  // namespace

Tracer::Tracer(std::vector<Analyser*> further, TracerOptions options) : options_(std::move(options)) {
    if (options_.counters) {
        own_.push_back(std::make_unique<Coalescing>(worst_));
        own_.push_back(std::make_unique<Banks>(worst_));
        own_.push_back(std::make_unique<OwnMemory>());
        own_.push_back(std::make_unique<Branches>());
        own_.push_back(std::make_unique<Footprint>());
        own_.push_back(std::make_unique<PaceAnalyser>());
        for (const CostRule* rule : cost_rules())
            if (rule->analyser) own_.push_back(rule->analyser());
    }
    for (const auto& analyser : own_) analysers_.push_back(analyser.get());
    analysers_.insert(analysers_.end(), further.begin(), further.end());
    lanework_simt::set_observer(this);
}

Tracer::~Tracer() { lanework_simt::set_observer(nullptr); }

SourcePlace Tracer::place_of(std::uint64_t pc) {
    const std::lock_guard lock(telling_);
    return lines_.find(pc);
}

std::vector<KernelTrace> Tracer::take_launches() { return std::exchange(launches_, {}); }

void Tracer::memory_allocated(const void* base, std::size_t bytes, lanework_simt::Origin origin) {
    const std::lock_guard lock(telling_);
    const bool managed = origin == lanework_simt::Origin::managed;
    if (managed) managed_.allocated(base, bytes);
    if (options_.host_memory) options_.host_memory->allocated(base, bytes, origin);
    if (machine_) machine_->memory_allocated(base, bytes);
    tell([&](Analyser& analyser) { analyser.memory_allocated({base, bytes}); });
    if (options_.stream_order && (managed || origin == lanework_simt::Origin::host))
        options_.stream_order->shared_with_host(reinterpret_cast<std::uint64_t>(base), bytes);
}

void Tracer::memory_released(const void* base, std::size_t bytes, lanework_simt::Origin origin) {
    const std::lock_guard lock(telling_);
    if (origin == lanework_simt::Origin::managed) managed_.released(base);
    if (options_.host_memory) options_.host_memory->released(base);
    tell([&](Analyser& analyser) { analyser.memory_released({base, bytes}); });
}

void Tracer::read_mostly(const void* base, std::size_t bytes, bool is) {
    const std::lock_guard lock(telling_);
    managed_.read_mostly(reinterpret_cast<std::uint64_t>(base), bytes, is);
}

void Tracer::memory_written(const void* base, std::size_t bytes) {
    const std::lock_guard lock(telling_);
    tell([&](Analyser& analyser) { analyser.memory_written({base, bytes}); });
}

void Tracer::memory_changed(const void* base, std::size_t bytes) {
    const std::lock_guard lock(telling_);
    tell([&](Analyser& analyser) { analyser.memory_changed({base, bytes}); });
}

void Tracer::copied(const lanework_simt::StreamCopy& copy) {
    const std::lock_guard lock(telling_);
    if (machine_) machine_->copied(copy);
    if (options_.copied_home && copy.way == lanework_simt::StreamCopy::Way::download) options_.copied_home(copy);
    if (options_.stream_order) options_.stream_order->used(copy.stream);
    StreamObserver::copied(copy);
}

void Tracer::library_called(const lanework_simt::LibraryCall& call) {
    const std::lock_guard lock(telling_);
    if (!records()) return;
    if (options_.stream_order) options_.stream_order->library_called(call);
    StreamTask task{.engine = Engine::kernel, .name = call.name, .library = true, .after = {}};
    for (const auto* ranges : {&call.read, &call.written})
        for (const std::span<const std::byte> range : *ranges) task.bytes += range.size();
    hand_over({.calls = host_callers(), .place = {}, .launch = {}, .watched = true}, std::move(task), call.stream,
              call.host_waits);
}

void Tracer::free_refused(const void* pointer) {
    const std::lock_guard lock(telling_);
    if (options_.host_memory) options_.host_memory->bad_free(pointer);
}

void Tracer::symbol_refused(const void* symbol, std::size_t bytes) {
    const std::lock_guard lock(telling_);
    if (options_.host_memory) options_.host_memory->bad_symbol(symbol, bytes);
}
void Tracer::copy_refused(const void* pointer, std::size_t bytes, bool writes) {
    const std::lock_guard lock(telling_);
    if (options_.host_memory) options_.host_memory->bad_copy(pointer, bytes, writes);
}

lanework_simt::LaunchPlan Tracer::plan(const lanework_simt::Launch& launch, bool natural) {
    const std::lock_guard lock(telling_);
    using lanework_simt::LaunchPlan;
    if (options_.stream_order) options_.stream_order->device_begins();
    const bool wanted = !options_.wants || options_.wants(launch);
    if (options_.repeated && natural) {
        options_.repeated->prepare(launch);
        // One that is explained is run for what else is counted of it.
        const bool explained = wanted && options_.counters;
        if (!explained && options_.repeated->repeats(wanted)) {
            if (!wanted) submit(launch);
            options_.launch_repeated();
            return LaunchPlan::done;
        }
    }
    if (wanted) return LaunchPlan::watch;
    tell([](Analyser& analyser) { analyser.launch_unseen(); });
    submit(launch);
    return LaunchPlan::run;
}

/// One that is not traced.
void Tracer::submit(const lanework_simt::Launch& launch) {
    if (machine_) machine_->launch_unseen(launch);
    if (records()) managed_.launch_unseen();
    hand_over({.calls = {}, .place = launch_place(launch), .launch = {}}, kernel_task(launch), launch.stream);
}

void Tracer::hand_over(Submitted kernel, StreamTask task, const void* stream, bool host_waits) {
    if (!records()) return;
    submitted_.push_back(std::move(kernel));
    submit_kernel(std::move(task), stream, host_waits);
}

bool Tracer::records() const { return records_streams_ && submitted_.size() < kMostTasks; }

void Tracer::submitted(const StreamTask& task) {
    submitted_.push_back({.calls = host_callers(), .place = {}, .launch = {}});
    if (!task.prefetches)
        managed_.changed(task.to, task.span);
    else if (task.engine == Engine::upload)
        managed_.sent(task.to, task.span);
    else
        managed_.sent_home(task.to, task.span);
}

void Tracer::handed_over() {
    if (!records()) managed_.stop();
    if (!options_.stream_order) return;
    options_.stream_order->handed_over(program_.work(), submitted_.back().watched);
    if (!records()) options_.stream_order->stop();
}

void Tracer::host_waited() {
    if (options_.stream_order) options_.stream_order->waited(program_.work());
}

/// Launches of one graph are ordered, on whatever streams: that is not written down.
void Tracer::graph_begins(const void* stream) {
    const std::lock_guard lock(telling_);
    host_may_know();
    StreamObserver::graph_begins(stream);
}

void Tracer::host_may_know() {
    const std::lock_guard lock(telling_);
    if (options_.stream_order) options_.stream_order->forget();
}

SourcePlace Tracer::place_of_task(std::size_t number) {
    const std::lock_guard lock(telling_);
    const Submitted& task = submitted_[number];
    if (task.calls.empty()) return task.place;
    return program_line(task.calls, [&](std::uint64_t pc) { return lines_.find(pc); });
}

std::shared_ptr<const StreamTrace> Tracer::streams() {
    const std::lock_guard lock(telling_);
    if (submitted_.empty() || submitted_.size() == kMostTasks) return nullptr;
    auto trace = std::make_shared<StreamTrace>();
    trace->work = program_.work();
    for (std::size_t task = 0; task < submitted_.size(); ++task) {
        trace->places.push_back(place_of_task(task));
        trace->launches.push_back(submitted_[task].launch);
    }
    return trace;
}

/// Which of a kernel's bytes cross the link: those of page-locked host memory, and pages of managed memory.
void Tracer::add_memory(StreamTask& task, const TouchedMemory& touched) {
    using lanework_simt::Origin;
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all()) {
        const auto base = reinterpret_cast<std::uint64_t>(range.base);
        const std::uint64_t first = base / kSectorBytes, end = (base + range.bytes + kSectorBytes - 1) / kSectorBytes;
        if (range.origin == Origin::host || range.origin == Origin::registered) {
            task.read_over_link += touched.read.count(first, end) * kSectorBytes;
            task.written_over_link += touched.written.count(first, end) * kSectorBytes;
        }
    }
    task.faulted = managed_.launch_ends(touched);
    task.bytes = (touched.read.size() + touched.written.size()) * kSectorBytes;
    task.bytes -= std::min(task.bytes, task.read_over_link + task.written_over_link);
}

void Tracer::launch_begins(const lanework_simt::Launch& launch) {
    const std::lock_guard lock(telling_);
    shape_ = {.kernel = launch.kernel,
              .file = project_file(launch.place.file),
              .line = launch.place.line,
              .grid = {launch.grid.x, launch.grid.y, launch.grid.z},
              .block = {launch.block.x, launch.block.y, launch.block.z},
              .dynamic_shared = launch.shared_bytes,
              .stream = launch.stream};
    task_ = kernel_task(launch);
    if (records()) managed_.launch_begins();
    launched_ = {.calls = {}, .place = launch_place(launch), .launch = launches_so_far_, .watched = true};
    sites_ = std::make_unique<SiteTable>();
    worst_.clear();
    begun_ = left_out_ = 0;
    followed_.clear();
    tell([&](Analyser& analyser) { analyser.launch_begins(shape_); });
    reader_ = std::make_unique<WarpReader>(*sites_, analysers_);
    if (machine_) machine_->launch_begins(launch);
}

/// The functions that the launch's code was compiled from, as far as its first places tell.
std::vector<std::string> Tracer::functions_of_launch() {
    constexpr std::size_t kAsked = 8;
    std::vector<std::string> functions;
    for (const Site& site : sites_->sites()) {
        if (site.id == kAsked) break;
        const std::vector<std::string> more = lines_.functions(site.pc);
        functions.insert(functions.end(), more.begin(), more.end());
    }
    return functions;
}

void Tracer::launch_ends(const lanework_simt::LaunchEnd& end) {
    const std::lock_guard lock(telling_);
    if (options_.repeated && (end.beyond_memory || !end.error.empty())) options_.repeated->give_up();
    tell([&](Analyser& analyser) { analyser.launch_ends(shape_); });
    KernelTrace trace{.shape = shape_,
                      .sites = {},
                      .blocks_left_out = left_out_,
                      .error = std::string(end.error),
                      .never_met = end.never_met,
                      .endless = end.endless,
                      .error_place = error_place(end),
                      .longest_clock_wait = end.clock_waits.longest,
                      .clock_waits = end.clock_waits.of_all_blocks,
                      .printed_by_threads = end.printed.by_threads,
                      .printed_by_warps = end.printed.by_warps,
                      .most_printed = end.printed.most};
    for (const auto& analyser : own_) analyser->record(trace);
    for (const Site& site : sites_->sites()) {
        if (!options_.counters) break;
        const bool path = site.kind == EventKind::path;
        const std::uint64_t end_of_code = path ? end_of_block(site.pc) : site.pc;
        const SourcePlace& place = lines_.find(path && site.branch.branches != 0 ? end_of_code : site.pc);
        if (path && is_plumbing(place.file)) continue;  // on the way into the kernel
        // What the device's own functions keep on a processor's stack, an atomicAdd's operand say, is on no GPU's.
        if (site.space == Space::local && lines_.of_device(site.pc)) continue;
        const CodeOnGpu code = path ? computed(site.pc, end_of_code, lines_) : CodeOnGpu();
        trace.sites.push_back({.site = site,
                               .place = place,
                               .example = worst_.of(site),
                               .code_bytes = end_of_code - site.pc,
                               .instructions = code.instructions,
                               .multiplications = code.multiplications,
                               .indexed_on_stack = code.indexed_on_stack,
                               .unrolled = code.indexed_on_stack > 0 && is_in_unrolled_loop_of(place.file, place.line),
                               .emulates = path && lines_.emulates(site.pc)});
    }
    std::stable_sort(trace.sites.begin(), trace.sites.end(), [](const PlacedSite& a, const PlacedSite& b) {
        return std::tie(a.place.file, a.place.line, a.place.column) <
               std::tie(b.place.file, b.place.line, b.place.column);
    });
    if (machine_ && end.error.empty()) trace.machine = machine_->launch_ends(functions_of_launch());
    ++launches_so_far_;
    if (records()) {
        if (trace.touched) add_memory(task_, *trace.touched);
        hand_over(std::move(launched_), std::move(task_), shape_.stream);
    }
    launches_.push_back(std::move(trace));
    if (options_.launch_ended) options_.launch_ended();
}

/// Where a launch went wrong, as exactly as is known.
SourcePlace Tracer::error_place(const lanework_simt::LaunchEnd& end) {
    if (end.place.line != 0)
        return {.file = project_file(end.place.file), .line = end.place.line, .column = 0, .function = {}};
    if (end.pc != 0) return lines_.find(end.pc);
    return {.file = project_file(shape_.file), .line = shape_.line, .column = 0, .function = {}};
}

bool Tracer::is_followed(std::uint64_t block) const {
    return std::find(followed_.begin(), followed_.end(), block) != followed_.end();
}

bool Tracer::follows_next() {
    const std::uint64_t before = begun_++;
    if (left_out_ == 0 && (!options_.follows || options_.follows(shape_, before))) return true;
    if (left_out_++ == 0) tell([](Analyser& analyser) { analyser.launch_cut_short(); });
    return false;
}

/// What the launch did not come to makes nothing wrong of what it did.
void Tracer::end_if_asked() {
    if (!options_.is_to_end || !options_.is_to_end()) return;
    if (left_out_ == 0) tell([](Analyser& analyser) { analyser.launch_cut_short(); });
    tell([&](Analyser& analyser) { analyser.launch_ends(shape_); });
    options_.ends_early(shape_, begun_);
}

void Tracer::block_begins(const lanework_simt::ObservedBlock& block) {
    const std::lock_guard lock(telling_);
    if (!follows_next()) return;
    followed_.push_back(block.linear_index);
    tell([&](Analyser& analyser) { analyser.block_begins(block.linear_index); });
}

void Tracer::block_synchronized(const lanework_simt::ObservedBlock& block) {
    const std::lock_guard lock(telling_);
    if (!is_followed(block.linear_index)) return;
    for (unsigned warp = 0; warp < shape_.warps_per_block(); ++warp) reader_->read(block, warp);
    tell([&](Analyser& analyser) { analyser.barrier(block.linear_index); });
    end_if_asked();
}

void Tracer::grid_synchronized() {
    const std::lock_guard lock(telling_);
    tell([](Analyser& analyser) { analyser.grid_barrier(); });
}

void Tracer::launch_refused(const lanework_simt::Launch& launch, std::string_view reason) {
    const std::lock_guard lock(telling_);
    if (options_.launch_refused) options_.launch_refused(launch, reason);
}

void Tracer::block_ends(const lanework_simt::ObservedBlock& block) {
    const std::lock_guard lock(telling_);
    constexpr std::size_t kAlignment = 16;  // of the first __shared__ variable behind dynamic memory
    const std::size_t dynamic = (shape_.dynamic_shared + kAlignment - 1) / kAlignment * kAlignment;
    shape_.static_shared = std::max(shape_.static_shared, block.shared_bytes - std::min(block.shared_bytes, dynamic));
    if (std::erase(followed_, block.linear_index) != 0)
        tell([&](Analyser& analyser) { analyser.block_ends(block.linear_index); });
    end_if_asked();
}

void Tracer::warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) {
    const std::lock_guard lock(telling_);
    const unsigned first = warp * kLanes;
    if (is_followed(block.linear_index))
        reader_->read(block, warp);
    else
        for (unsigned lane = first; lane < std::min(first + kLanes, block.threads); ++lane)
            block.tapes[lane].read = block.tapes[lane].size;
    end_if_asked();
}

void Tracer::index_out_of_bounds(const lanework_simt::ObservedBlock& block, unsigned thread, std::uint64_t pc,
                                 long long index) {
    const std::lock_guard lock(telling_);
    if (!is_followed(block.linear_index)) return;
    Site& site = sites_->at({pc, EventKind::path, 0});
    tell([&](Analyser& analyser) { analyser.index_out_of_bounds({&site, block.linear_index, thread, index}); });
}

}  // namespace lanework
