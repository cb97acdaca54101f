// Reading recordings and repeating them.
#include "src/profile/golden_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/io/file.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKnownDifferences = "known-differences.json";

void trace_run(const Recording& recording, const RecordedRun& run, const CodeOf& code_of, TracedRecordings& traced) {
    const Operation& operation = find_operation(recording.operation);
    const Rung& rung = find_rung(operation, run.rung, DeviceKind::simt);
    const Problem problem = problem_of(operation, run);
    try {
        const Gpu& gpu = gpu_like(recording.capability, recording.multiprocessors);
        const auto code = code_of ? code_of(rung, recording.capability) : nullptr;
        const Explanation explanation =
            explain(operation, rung, problem, run.seed,
                    {.schedule = 0, .hazards = false, .gpu = &gpu, .code = {code.get(), code ? 1u : 0u}});
        traced.launches += explanation.kernels.size();
        for (const KernelTrace& launch : explanation.kernels)
            if (code_of && !(launch.machine && launch.machine->known()))
                traced.not_followed.push_back({recording.operation + "/" + run.rung + ", " + launch.shape.kernel,
                                               run.problem(),
                                               launch.machine ? launch.machine->reason : "its code is not here"});
        const Capability& capability = parse_capability(fmt::format("{}", recording.capability));
        auto comparisons = compare(recording, run, explanation, capability);
        std::ranges::move(comparisons, std::back_inserter(traced.comparisons));
    } catch (const UnavailableError& error) {
        traced.untraced.push_back({recording.operation + "/" + run.rung, run.problem(), error.what()});
    }
}

}  // namespace

std::vector<Recording> read_recordings(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.path().extension() == ".json" && entry.path().filename() != kKnownDifferences)
            files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Recording> recordings;
    for (const fs::path& file : files) recordings.push_back(parse_recording(file_text(file), file.string()));
    return recordings;
}

std::vector<KnownDifference> read_known_differences(const fs::path& folder) {
    const fs::path file = folder / kKnownDifferences;
    if (!fs::exists(file)) return {};
    return parse_known_differences(file_text(file), file.string());
}

void write_recording(const fs::path& folder, const Recording& recording) {
    const std::string text = to_json(recording);
    write_file(folder / (recording.operation + ".json"),
               {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TracedRecordings trace_recordings(std::span<const Recording> recordings,
                                  const std::function<void(const std::string&)>& progress, const CodeOf& code) {
    TracedRecordings traced;
    for (const Recording& recording : recordings)
        for (const RecordedRun& run : recording.runs) {
            progress(fmt::format("tracing {}/{} {}", recording.operation, run.rung, run.problem()));
            trace_run(recording, run, code, traced);
        }
    return traced;
}

}  // namespace lanework
