// What tracing costs: one rung on the simt device untraced, with every access traced, and with hazards looked for as
// well, by Google Benchmark. A run is the upload, the kernel and the download; when traced also all that the tracer
// does from its start to the record of the launch. Inputs and the check of the result are outside.
// Usage: trace_cost OP/RUNG SIZE [--benchmark_…]
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>
#include <optional>

#include "src/measure/compare.hpp"
#include "src/measure/references.hpp"
#include "src/trace/record/hazards.hpp"
#include "src/trace/record/tracer.hpp"

namespace lanework {
namespace {

constexpr std::uint64_t kSeed = 1;

enum class Watch { nobody, counters, hazards };
constexpr std::string_view name_of(Watch watch) {
    constexpr std::string_view names[] = {"untraced", "traced", "hazards"};
    return names[static_cast<int>(watch)];
}

// What one run saw.
struct Seen {
    // Accesses to global and shared memory, each lane's counted.
    std::uint64_t accesses = 0;
    std::size_t hazards = 0;
    std::string error;
};

// A rung, its inputs, and room for what it computes.
class Workload {
public:
    Workload(const Operation& operation, const Rung& rung, const Problem& problem)
        : operation_(operation), rung_(rung), problem_(problem), host_(operation, problem) {
        operation.fill(problem, kSeed, host_.buffers());
    }

    Seen run(Device& device, Watch watch) {
        if (watch == Watch::nobody) {
            execute(device, operation_, rung_, problem_, host_.buffers());
            return {};
        }
        std::optional<Hazards> hazards;
        if (watch == Watch::hazards) hazards.emplace();
        Tracer tracer(hazards ? std::vector<Analyser*>{&*hazards} : std::vector<Analyser*>{});
        execute(device, operation_, rung_, problem_, host_.buffers());
        Seen seen{.accesses = 0, .hazards = hazards ? hazards->list().hazards().size() : 0, .error = {}};
        for (const KernelTrace& launch : tracer.take_launches()) count(launch, seen);
        return seen;
    }

    // Why the outputs of the last run are wrong; empty when they are right.
    std::string wrong() const {
        Expected expected(operation_, problem_, {.seed = kSeed});
        expected.compute();
        Differences differences;
        for (std::size_t array = 0; array < expected.specs().size(); ++array) {
            const BufferSpec& spec = expected.specs()[array];
            if (spec.role == Role::output)
                compare(spec.dtype, expected.data(array), host_.data(array), 0, spec.count,
                        operation_.tolerance(problem_), nullptr, differences);
        }
        return differences.count == 0 ? "" : fmt::format("{} elements differ from the reference", differences.count);
    }

private:
    static void count(const KernelTrace& launch, Seen& seen) {
        const KernelCounters sums = launch.counters();
        for (const GlobalCounters* global :
             {&sums.global_loads, &sums.global_stores, &sums.global_atomics, &sums.global_reductions})
            seen.accesses += global->lanes;
        for (const SharedCounters* shared : {&sums.shared_loads, &sums.shared_stores, &sums.shared_atomics})
            seen.accesses += shared->lanes;
        if (!launch.error.empty()) seen.error = launch.error;
    }

    const Operation& operation_;
    const Rung& rung_;
    Problem problem_;
    HostArrays host_;
};

// The most memory that this process has held so far.
double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

void measure(benchmark::State& state, Device& device, Workload& workload, Watch watch) {
    Seen seen;
    for (auto _ : state) seen = workload.run(device, watch);
    state.counters["accesses"] = static_cast<double>(seen.accesses);
    state.counters["peak_bytes"] = peak_bytes();
    state.SetLabel(std::string(name_of(watch)));
    if (const std::string wrong = workload.wrong(); !wrong.empty()) state.SkipWithError(wrong.c_str());
    if (!seen.error.empty()) state.SkipWithError(seen.error.c_str());
    if (seen.hazards > 0) state.SkipWithError("a hazard was found: explain says which");
}

void run_benchmarks(const std::string& name, const std::string& size) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) throw UsageError(fmt::format("'{}' is not OP/RUNG", name));
    const Operation& operation = find_operation(name.substr(0, slash));
    const Rung& rung = find_rung(operation, name.substr(slash + 1), DeviceKind::simt);
    const Problem problem = parse_problem(operation, size, operation.default_dtype());
    const auto device = open_device(name_of(DeviceKind::simt));
    Workload workload(operation, rung, problem);
    for (const Watch watch : {Watch::nobody, Watch::counters, Watch::hazards})
        benchmark::RegisterBenchmark(
            fmt::format("{}/{}/{}", name, size, name_of(watch)).c_str(),
            [&device, &workload, watch](benchmark::State& state) { measure(state, *device, workload, watch); })
            ->Iterations(1)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    for (const Fact& fact : environment())
        if (fact.name != "date") benchmark::AddCustomContext(fact.name, fact.value);  // it adds its own
    benchmark::AddCustomContext("simt_threads", fmt::format("{}", device->info().threads));
    benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace lanework

int main(int count, char** words) {
    benchmark::Initialize(&count, words);
    if (count != 3) {
        fmt::print(stderr,
                   "usage: trace_cost OP/RUNG SIZE [--benchmark_…], for instance matmul/shared_tile 256x256x256\n");
        return 2;
    }
    try {
        lanework::run_benchmarks(words[1], words[2]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "trace_cost: {}\n", error.what());
        return 1;
    }
}
