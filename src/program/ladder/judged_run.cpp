// Questions and answers are JSON, each ahead of its arrays.
#include "src/program/ladder/judged_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework_simt/schedule.hpp>
#include <stdexcept>

#include "src/core/fill.hpp"
#include "src/gpu/gpus.hpp"
#include "src/io/json.hpp"
#include "src/measure/compare.hpp"
#include "src/measure/guarded.hpp"
#include "src/program/ladder/rehearsed.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/simt/apart_memory.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"
#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/estimate.hpp"
#include "src/trace/analyse/written_bytes.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

constexpr const char* kSimt = "simt";
constexpr std::size_t kAlignment = 64;
/// Behind a huge page: a multiple of what every allocation is, and of no more.
constexpr std::size_t kShift = 512;
/// Room for a question or an answer without its arrays.
constexpr std::size_t kTextBytes = std::size_t{16} << 20;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
std::size_t bytes_of(const BufferSpec& spec) { return spec.count * size_of(spec.dtype); }

/// A text and where the arrays behind it begin.
void put_text(CellMemory memory, const std::string& text) {
    const std::uint64_t length = text.size();
    if (length + sizeof(length) > kTextBytes) throw std::runtime_error("its explanation is too long");
    std::memcpy(memory.data(), &length, sizeof(length));
    std::memcpy(memory.data() + sizeof(length), text.data(), length);
}
Json get_text(CellMemory memory) {
    std::uint64_t length = 0;
    std::memcpy(&length, memory.data(), sizeof(length));
    if (length + sizeof(length) > kTextBytes) throw std::runtime_error("its answer makes no sense");
    const std::string text(reinterpret_cast<const char*>(memory.data() + sizeof(length)), length);
    Json json = Json::parse_or_null(text);
    if (!json.is_object()) throw std::runtime_error("its answer makes no sense");
    return json;
}

/// Bytes that the device's programs hold.
std::int64_t bytes_held() {
    std::int64_t bytes = 0;
    for (const lanework_simt::Allocation& each : lanework_simt::memory_map().all())
        if (each.origin != lanework_simt::Origin::symbol) bytes += static_cast<std::int64_t>(each.bytes);
    return bytes;
}

/// Sees where kernels are launched, and nothing of what they do.
class LaunchWatch final : public lanework_simt::Observer {
public:
    /// A rung that is given no stream may launch on the default one.
    LaunchWatch(const void* stream, bool given) : stream_(stream), given_(given) { lanework_simt::set_observer(this); }
    LaunchWatch(const LaunchWatch&) = delete;
    LaunchWatch& operator=(const LaunchWatch&) = delete;
    ~LaunchWatch() override { lanework_simt::set_observer(nullptr); }

    lanework_simt::LaunchPlan plan(const lanework_simt::Launch& launch, bool) override {
        ++launches;
        most_blocks = std::max(most_blocks, std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z);
        if (launch.stream != stream_ && (given_ || launch.stream != nullptr)) ++elsewhere;
        return lanework_simt::LaunchPlan::run;
    }

    void copied(const lanework_simt::StreamCopy& copy) override {
        using Way = lanework_simt::StreamCopy::Way;
        if (copy.way == Way::on_device || copy.way == Way::fill) ++device_copies;
        if (copy.way == Way::upload) bytes_uploaded += copy.bytes;
        if (copy.way == Way::fill) ++bytes_uploaded;  // of which the host chose one
        if (!of_inputs(copy.from)) return;
        if (copy.way == Way::download) inputs_downloaded += copy.bytes;
        if (copy.way != Way::on_device) return;
        ++input_copies;
        inputs_.push_back({static_cast<const std::byte*>(copy.to), copy.span});
    }

    /// An array that holds what the rung is to compute with; copies of it on the device are like it.
    void watch_input(std::span<const std::byte> array) { inputs_.push_back(array); }

    std::uint64_t launches = 0, elsewhere = 0, device_copies = 0, bytes_uploaded = 0, most_blocks = 0;
    /// Bytes of inputs that the host copies to itself; copies of inputs on the device.
    std::uint64_t inputs_downloaded = 0, input_copies = 0;

private:
    bool of_inputs(const void* address) const {
        const auto* const byte = static_cast<const std::byte*>(address);
        return std::ranges::any_of(inputs_, [&](std::span<const std::byte> each) {
            return byte >= each.data() && byte < each.data() + each.size();
        });
    }

    std::vector<std::span<const std::byte>> inputs_;
    const void* stream_;
    bool given_;
};

bool takes_stream(const BoundFunction& bound) {
    return bound.function.kernel || std::ranges::any_of(bound.parameters, [](const BoundParameter& each) {
               return each.source == BoundParameter::Source::stream;
           });
}

/// Memory of the host's that kernels can use, too: which of its bytes they read that the host wrote.
class HostMemory {
public:
    explicit HostMemory(const lanework_simt::Allocation& range)
        : range_(range), by_device_(range.bytes), told_(range.bytes) {}

    bool holds(std::uint64_t address) const { return offset_of(address) < range_.bytes; }
    void stored(std::uint64_t address, std::size_t bytes) {
        for (std::size_t at = offset_of(address), end = std::min(range_.bytes, at + bytes); at < end; ++at)
            by_device_[at] = true;
    }
    /// How many of these bytes come from the host, and were not counted before.
    std::size_t loaded(std::uint64_t address, std::size_t bytes) {
        std::size_t count = 0;
        for (std::size_t at = offset_of(address), end = std::min(range_.bytes, at + bytes); at < end; ++at) {
            if (by_device_[at] || told_[at]) continue;
            told_[at] = true;
            ++count;
        }
        return count;
    }
    void launch_ends() { behind_launch_.assign(range_.base, range_.base + range_.bytes); }
    /// What is other than behind the launch before was written by the host.
    void launch_begins() {
        for (std::size_t at = 0; at < behind_launch_.size(); ++at)
            if (behind_launch_[at] != range_.base[at]) by_device_[at] = false;
    }

private:
    std::size_t offset_of(std::uint64_t address) const {
        return static_cast<std::size_t>(address - reinterpret_cast<std::uint64_t>(range_.base));
    }

    lanework_simt::Allocation range_;
    std::vector<bool> by_device_, told_;
    std::vector<std::byte> behind_launch_;
};

/// Which bytes of an array the device wrote, how many requests kernels made, and what they read of the host's memory.
class WriteWatch final : public Analyser {
public:
    void watch(std::span<std::byte> array) {
        watched_.push_back({reinterpret_cast<std::uint64_t>(array.data()), array.size(),
                            std::vector<std::uint64_t>(array.size() / 64 + 1)});
    }

    bool sees_requests(Space) const override { return true; }
    void memory_written(const MemoryRange& range) override {
        if (begun_) note(reinterpret_cast<std::uint64_t>(range.base), range.bytes);
    }
    void memory_changed(const MemoryRange& range) override { memory_written(range); }
    void request(const Request& request) override {
        ++requests;
        look_at_host_memory(request);
        if (request.site->kind == lanework_simt::EventKind::load) {
            if (request.lanes != 0 && reads_input(request.address[std::countr_zero(request.lanes)]))
                ++requests_to_inputs;
            return;
        }
        for (unsigned lane = 0; lane < kLanes; ++lane)
            if (request.lanes >> lane & 1) note(request.address[lane], request.site->bytes);
    }
    void watch_input(std::span<const std::byte> array) {
        inputs_.push_back({reinterpret_cast<std::uint64_t>(array.data()), array.size()});
    }
    /// From here on what the host fills is the rung's work.
    void begin() { begun_ = true; }

    /// The first byte of array `which` that nothing wrote and that is no longer what it was; its size for none.
    std::size_t first_unexplained(std::size_t which, std::span<const std::byte> before) {
        Watched& array = watched_[which];
        const auto* const now = reinterpret_cast<const std::byte*>(array.base);
        WrittenBytes written(array.bits.data());
        for (std::size_t at = 0; at < array.bytes; ++at)
            if (now[at] != before[at] && written.first_unwritten(at, 1) == at) return at;
        return array.bytes;
    }

    void launch_begins(const LaunchShape&) override {
        for (HostMemory& each : host_memory_) each.launch_begins();
    }
    void launch_ends(const LaunchShape&) override {
        for (HostMemory& each : host_memory_) each.launch_ends();
    }

    /// `bytes_of_host`: that kernels read and the host wrote.
    std::uint64_t requests = 0, requests_to_inputs = 0, bytes_of_host = 0;

private:
    HostMemory* host_memory_at(std::uint64_t address) {
        for (HostMemory& each : host_memory_)
            if (each.holds(address)) return &each;
        const auto range = lanework_simt::memory_map().find(reinterpret_cast<const void*>(address));
        if (!range || range->device_only()) return nullptr;
        return &host_memory_.emplace_back(*range);
    }

    void look_at_host_memory(const Request& request) {
        if (request.site->space != Space::global || request.lanes == 0) return;
        const std::uint64_t first = request.address[std::countr_zero(request.lanes)];
        const bool ours = reads_input(first) || std::ranges::any_of(watched_, [&](const Watched& each) {
                              return first - each.base < each.bytes;
                          });
        HostMemory* const memory = ours ? nullptr : host_memory_at(first);
        if (!memory) return;
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            if (!(request.lanes >> lane & 1) || !memory->holds(request.address[lane])) continue;
            if (request.site->kind == lanework_simt::EventKind::load)
                bytes_of_host += memory->loaded(request.address[lane], request.site->bytes);
            else
                memory->stored(request.address[lane], request.site->bytes);
        }
    }

    struct Range {
        std::uint64_t base;
        std::size_t bytes;
    };
    bool reads_input(std::uint64_t address) const {
        return std::ranges::any_of(inputs_, [&](const Range& each) { return address - each.base < each.bytes; });
    }

    struct Watched {
        std::uint64_t base;
        std::size_t bytes;
        std::vector<std::uint64_t> bits;
    };

    void note(std::uint64_t address, std::size_t bytes) {
        for (Watched& array : watched_) {
            if (address + bytes <= array.base || address >= array.base + array.bytes) continue;
            const std::uint64_t first = std::max(address, array.base);
            const std::uint64_t end = std::min(address + bytes, array.base + array.bytes);
            WrittenBytes(array.bits.data()).set(first - array.base, end - first);
        }
    }

    std::vector<Range> inputs_;
    std::vector<HostMemory> host_memory_;
    std::vector<Watched> watched_;
    bool begun_ = false;
};

}  // namespace

std::size_t bytes_for(const Operation& operation, const Problem& problem) {
    std::size_t bytes = kTextBytes;
    for (const BufferSpec& spec : operation.buffers(problem)) bytes += aligned(bytes_of(spec));
    return bytes;
}

void write_request(CellMemory memory, const RunRequest& request, const Operation& operation, const Buffers& inputs) {
    const std::vector<BufferSpec> specs = operation.buffers(request.problem);
    put_text(memory, Json{{"extent", request.problem.extent},
                          {"dtype", static_cast<int>(request.problem.dtype)},
                          {"seed", request.seed},
                          {"schedule", request.schedule},
                          {"traced", request.traced},
                          {"shifted", request.shifted},
                          {"rehearsed", request.rehearsed},
                          {"input_seed", request.input_seed}}
                         .dump());
    if (request.rehearsed) return;
    std::size_t offset = kTextBytes;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].role == Role::input && bytes_of(specs[i]) > 0)
            std::memcpy(memory.data() + offset, inputs.data[i], bytes_of(specs[i]));
        offset += aligned(bytes_of(specs[i]));
    }
}

RunAnswer read_answer(CellMemory memory) {
    const Json json = get_text(memory);
    return {.failure = json.value("failure", ""),
            .unended = json.value("unended", ""),
            .breach = json.value("breach", ""),
            .launches = json.value("launches", std::uint64_t{0}),
            .launches_elsewhere = json.value("launches_elsewhere", std::uint64_t{0}),
            .most_blocks = json.value("most_blocks", std::uint64_t{0}),
            .device_copies = json.value("device_copies", std::uint64_t{0}),
            .bytes_uploaded = json.value("bytes_uploaded", std::uint64_t{0}),
            .inputs_downloaded = json.value("inputs_downloaded", std::uint64_t{0}),
            .input_copies = json.value("input_copies", std::uint64_t{0}),
            .bytes_kept = json.value("bytes_kept", std::int64_t{0}),
            .written_by_host = json.value("written_by_host", std::int64_t{-1}),
            .written_output = json.value("written_output", ""),
            .requests = json.value("requests", std::uint64_t{0}),
            .requests_to_inputs = json.value("requests_to_inputs", std::uint64_t{0}),
            .explanation = json.value("explanation", ""),
            .seconds = json.value("seconds", 0.0),
            .low_seconds = json.value("low_seconds", 0.0),
            .high_seconds = json.value("high_seconds", 0.0),
            .bound = json.value("bound", "")};
}

RunAnswer read_answer(CellMemory memory, const Operation& operation, const Problem& problem,
                      std::vector<std::vector<std::byte>>& arrays) {
    RunAnswer answer = read_answer(memory);
    std::size_t offset = kTextBytes;
    arrays.clear();
    for (const BufferSpec& spec : operation.buffers(problem)) {
        const std::byte* const first = memory.data() + offset;
        arrays.emplace_back(first, first + bytes_of(spec));
        offset += aligned(bytes_of(spec));
    }
    return answer;
}

void fill_poison(std::uint64_t seed, std::size_t array, std::vector<std::byte>& bytes) {
    fill_uniform(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size(), random_bits(seed, array));
}

struct CellRunner::Arrays {
    Problem problem;
    std::vector<BufferSpec> specs;
    std::vector<GuardedArray> arrays;
    std::vector<GuardedArray> workspace;

    std::vector<void*> addresses() const {
        std::vector<void*> all;
        for (const GuardedArray& array : arrays) all.push_back(array.data());
        return all;
    }
    void* scratch() const { return workspace.empty() ? nullptr : workspace.front().data(); }
};

CellRunner::CellRunner(const OwnOperation& operation, OwnRung& rung, std::size_t device_bytes)
    : operation_(operation), rung_(rung) {
    lanework_simt::set_worker_count(1);  // the cell starts no threads
    lanework_simt::keep_device_memory_apart(device_bytes);
    device_ = open_device(kSimt);
}

CellRunner::~CellRunner() = default;

void CellRunner::launch(const Problem& problem, const Buffers& buffers) const {
    const Rung& rung = rung_.rung();
    try {
        rung.typed(problem.dtype)->launch(rung.entry, problem, buffers, device_->stream());
    } catch (const ThrownByRung& thrown) {  // no error of a device's: it ended the call
        throw std::runtime_error(thrown.what());
    }
    device_->check_launch();
    device_->synchronize();
}

void CellRunner::prepare(const RunRequest& request, CellMemory memory, std::size_t offset) {
    const Rung& rung = rung_.rung();
    if (!arrays_ || arrays_->problem != request.problem) {
        arrays_ = std::make_unique<Arrays>();
        arrays_->problem = request.problem;
        arrays_->specs = operation_.operation().buffers(request.problem);
        for (const BufferSpec& spec : arrays_->specs) arrays_->arrays.emplace_back(*device_, bytes_of(spec));
        const std::size_t bytes = rung.typed(request.problem.dtype)->workspace(rung.entry, request.problem, {});
        if (bytes > 0) arrays_->workspace.emplace_back(*device_, bytes);
    }
    for (std::size_t i = 0; i < arrays_->specs.size(); ++i) {
        GuardedArray& array = arrays_->arrays[i];
        array.arm(random_bits(request.seed, 2 * i));
        if (arrays_->specs[i].role == Role::input) {
            device_->upload(array.data(), memory.data() + offset, array.bytes());
        } else {
            std::vector<std::byte> poison(array.bytes());
            fill_poison(request.seed, i, poison);
            device_->upload(array.data(), poison.data(), poison.size());
        }
        offset += aligned(array.bytes());
    }
    for (GuardedArray& workspace : arrays_->workspace) {
        workspace.arm(random_bits(request.seed, 1));
        std::vector<std::byte> noise(workspace.bytes());
        fill_poison(request.seed, arrays_->specs.size(), noise);
        device_->upload(workspace.data(), noise.data(), noise.size());
    }
}

RunAnswer CellRunner::run_watched(const RunRequest& request) {
    RunAnswer answer;
    const std::vector<void*> addresses = arrays_->addresses();
    const std::int64_t before = bytes_held();
    device_->set_schedule(request.schedule);
    try {
        LaunchWatch watch(device_->stream(), takes_stream(rung_.bound()));
        for (std::size_t i = 0; i < arrays_->arrays.size(); ++i)
            if (arrays_->specs[i].role == Role::input)
                watch.watch_input({arrays_->arrays[i].data(), arrays_->arrays[i].bytes()});
        launch(request.problem, {addresses, arrays_->scratch()});
        answer.launches = watch.launches;
        answer.launches_elsewhere = watch.elsewhere;
        answer.most_blocks = watch.most_blocks;
        answer.device_copies = watch.device_copies;
        answer.bytes_uploaded = watch.bytes_uploaded;
        answer.inputs_downloaded = watch.inputs_downloaded;
        answer.input_copies = watch.input_copies;
    } catch (const std::exception& error) {
        answer.failure = error.what();
    }
    device_->set_schedule(0);
    if (!answer.failure.empty()) return answer;
    answer.bytes_kept = bytes_held() - before;
    for (std::size_t i = 0; i < arrays_->arrays.size() && answer.breach.empty(); ++i)
        if (const auto at = arrays_->arrays[i].breach()) {
            const BufferSpec& spec = arrays_->specs[i];
            const auto size = static_cast<std::ptrdiff_t>(size_of(spec.dtype));
            answer.breach =
                fmt::format("{}[{}] was written, {} of `{}`", spec.name, *at < 0 ? (*at + 1) / size - 1 : *at / size,
                            *at < 0 ? "before the start" : "past the end", spec.name);
        }
    for (const GuardedArray& workspace : arrays_->workspace)
        if (answer.breach.empty() && workspace.breach()) answer.breach = "memory around the workspace was written";
    return answer;
}

// In arrays that are no longer than they must be: what lies around an array of a guarded run is still its allocation.
RunAnswer CellRunner::run_traced(const RunRequest& request, CellMemory memory, std::size_t offset) {
    RunAnswer answer;
    const Rung& rung = rung_.rung();
    const std::vector<BufferSpec> specs = operation_.operation().buffers(request.problem);
    std::vector<DeviceMemory> memories;
    std::vector<std::vector<std::byte>> poisons(specs.size());
    WriteWatch watch;
    // All of it within the trace, which learns of memory as it comes.
    const auto run = [&] {
        std::vector<void*> addresses;
        std::size_t place = offset;
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const std::size_t bytes = bytes_of(specs[i]);
            memories.push_back(device_->allocate(bytes));
            addresses.push_back(memories.back().data());
            if (specs[i].role == Role::input) {
                device_->upload(addresses.back(), memory.data() + place, bytes);
                watch.watch_input({memories.back().data(), bytes});
            } else {
                poisons[i].resize(bytes);
                fill_poison(request.seed, i, poisons[i]);
                // Unseen: to the trace it is still memory that nobody wrote.
                if (bytes > 0) std::memcpy(addresses.back(), poisons[i].data(), bytes);
                watch.watch({memories.back().data(), bytes});
            }
            place += aligned(bytes);
        }
        const std::size_t scratch = rung.typed(request.problem.dtype)->workspace(rung.entry, request.problem, {});
        if (scratch > 0) memories.push_back(device_->allocate(scratch));
        watch.begin();
        launch(request.problem, {addresses, scratch > 0 ? memories.back().data() : nullptr});
    };
    device_->set_schedule(request.schedule);
    Explanation explanation;
    try {
        explanation = explain_run(operation_.operation(), rung, request.problem, request.input_seed,
                                  {.schedule = request.schedule}, {&watch}, run);
    } catch (const RefusedLaunch& refused) {
        device_->set_schedule(0);
        answer.failure = refused.what();
        return answer;
    }
    device_->set_schedule(0);
    answer.explanation = explanations_to_json({&explanation, 1}, gpus().front(), {});
    const Estimate time = estimate(explanation, gpus().front());
    answer.seconds = time.time_s;
    answer.low_seconds = time.low_s;
    answer.high_seconds = time.high_s;
    answer.bound = time.bound_name();
    answer.requests = watch.requests;
    answer.requests_to_inputs = watch.requests_to_inputs;
    answer.bytes_uploaded = watch.bytes_of_host;
    answer.launches = explanation.kernels.size();
    for (std::size_t i = 0, output = 0; i < specs.size(); ++i) {
        if (specs[i].role == Role::input) continue;
        const std::size_t at = watch.first_unexplained(output++, poisons[i]);
        if (at == poisons[i].size() || answer.written_by_host >= 0) continue;
        answer.written_by_host = static_cast<std::int64_t>(at / size_of(specs[i].dtype));
        answer.written_output = specs[i].name;
    }
    const bool failed =
        std::ranges::any_of(explanation.kernels, [](const KernelTrace& each) { return !each.error.empty(); });
    if (failed) answer.failure = "a launch failed";
    std::size_t place = offset;
    for (std::size_t i = 0; i < specs.size() && !failed; ++i) {
        device_->download(memory.data() + place, memories[i].data(), bytes_of(specs[i]));
        place += aligned(bytes_of(specs[i]));
    }
    return answer;
}

void CellRunner::answer(CellMemory memory) {
    const Json question = get_text(memory);
    RunRequest request;
    request.problem.extent = question["extent"].get<Extents>();
    request.problem.dtype = static_cast<DType>(question["dtype"].get<int>());
    request.seed = question["seed"].get<std::uint64_t>();
    request.schedule = question["schedule"].get<std::uint64_t>();
    request.traced = question["traced"].get<bool>();
    request.input_seed = question["input_seed"].get<std::uint64_t>();
    lanework_simt::shift_apart_memory(question["shifted"].get<bool>() ? kShift : 0);
    RunAnswer answer;
    if (question["rehearsed"].get<bool>()) {
        const RehearsedLaunches rehearsed = rehearse(rung_, request.problem);
        answer.failure = rehearsed.refused;
        answer.unended = rehearsed.unended;
    } else if (request.traced) {
        answer = run_traced(request, memory, kTextBytes);
    } else {
        prepare(request, memory, kTextBytes);
        answer = run_watched(request);
        std::size_t place = kTextBytes;
        for (const GuardedArray& array : arrays_->arrays) {
            if (answer.failure.empty()) device_->download(memory.data() + place, array.data(), array.bytes());
            place += aligned(array.bytes());
        }
    }
    if (!answer.failure.empty() && !question["rehearsed"].get<bool>()) {
        arrays_.reset();
        device_->recover();
    }
    put_text(memory, Json{{"failure", answer.failure},
                          {"unended", answer.unended},
                          {"breach", answer.breach},
                          {"launches", answer.launches},
                          {"launches_elsewhere", answer.launches_elsewhere},
                          {"most_blocks", answer.most_blocks},
                          {"device_copies", answer.device_copies},
                          {"bytes_uploaded", answer.bytes_uploaded},
                          {"inputs_downloaded", answer.inputs_downloaded},
                          {"input_copies", answer.input_copies},
                          {"bytes_kept", answer.bytes_kept},
                          {"written_by_host", answer.written_by_host},
                          {"written_output", answer.written_output},
                          {"requests", answer.requests},
                          {"requests_to_inputs", answer.requests_to_inputs},
                          {"explanation", answer.explanation},
                          {"seconds", answer.seconds},
                          {"low_seconds", answer.low_seconds},
                          {"high_seconds", answer.high_seconds},
                          {"bound", answer.bound}}
                         .dump());
}

}  // namespace lanework
