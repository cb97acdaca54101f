// Which runs a judgement consists of, and what a difference means.
#include "src/program/ladder/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <stdexcept>
#include <utility>

#include "src/core/fill.hpp"
#include "src/core/own_ladders.hpp"
#include "src/io/file.hpp"
#include "src/io/json.hpp"
#include "src/measure/compare.hpp"
#include "src/measure/verify.hpp"
#include "src/program/compiler_messages.hpp"
#include "src/program/ladder/evasions.hpp"
#include "src/program/ladder/judged_compilation.hpp"
#include "src/program/ladder/rehearsed.hpp"
#include "src/program/ladder/rung_library.hpp"
#include "src/program/ladder/vacuity.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
/// Errors below this share of what is right look like those of a narrower type.
constexpr double kNarrow = 0x1p-6;
/// Bytes and operations up to which every access is looked at, and up to which schedules are drawn.
constexpr std::uint64_t kTraced = std::uint64_t{1} << 22, kInterleaved = std::uint64_t{1} << 20;
/// A second call with the same inputs that makes fewer requests than this share left something out.
constexpr double kSameWork = 0.5;

/// So little from the host's memory may be parameters.
constexpr std::size_t kSmallUpload = 256;

/// Bytes from the nearest allocation up to which an address is one of its own that went astray.
constexpr std::uint64_t kNear = std::uint64_t{1} << 20;

/// How a library's loading fails for want of a function.
constexpr const char* kDoesNotLink = " does not link: ";

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::uint64_t effort(const Operation& operation, const Problem& problem) {
    const Work work = operation.work(problem);
    return work.bytes() + work.flops;
}

/// How far from the nearest allocation: "… 4096 bytes past the end of the nearest allocation …"; 0 where that is not
/// said.
std::uint64_t distance_of(const std::string& evidence) {
    for (const char* words : {" bytes before the nearest", " bytes past the end of the nearest"}) {
        const std::size_t end = evidence.find(words);
        if (end == evidence.npos) continue;
        const std::size_t blank = evidence.rfind(' ', end - 1);
        return std::strtoull(evidence.c_str() + (blank == evidence.npos ? 0 : blank + 1), nullptr, 10);
    }
    return 0;
}

/// What a finding of the tracer's is a case of.
Fault fault_of(const std::string& rule, const std::string& evidence) {
    if (rule == "race" || rule == "warp_synchrony") return Fault::race;
    if (rule == "uninitialised_read") return Fault::uninitialised;
    if (rule == "use_after_free") return Fault::foreign_memory;
    if (rule == "endless_wait") return Fault::hang;
    if (rule == "launch_failure") return Fault::failed_launch;
    if (rule == "out_of_bounds") return distance_of(evidence) > kNear ? Fault::foreign_memory : Fault::out_of_bounds;
    return Fault::other_finding;
}

class Judge {
public:
    Judge(OwnOperation& own, OwnRung& rung, const JudgeOptions& options, Judgement& result)
        : own_(own),
          operation_(own.operation()),
          rung_(rung),
          options_(options),
          result_(result),
          begin_(Clock::now()) {}

    void run(const fs::path& library) {
        std::size_t bytes = 0;
        for (const Problem& problem : every_problem()) bytes = std::max(bytes, bytes_for(operation_, problem));
        CellRunner* runner = nullptr;
        const std::vector<fs::path> readable = readable_for(library);
        Cell cell(
            bytes,
            [&] {
                // The cell's, for as long as it lives.
                runner = new CellRunner(own_, rung_, options_.memory_bytes / 2);
                Confinement confinement = confine({.seconds = options_.seconds,
                                                   .bytes = options_.memory_bytes - options_.memory_bytes / 2,
                                                   .readable = readable,
                                                   .forbidden = note_forbidden_call});
                runner->load(library);
                return confinement;
            },
            [&](CellMemory memory) { runner->answer(memory); });
        cell_ = &cell;
        const Cell::Answer begun = cell.wait_for_begin(options_.seconds_of_run);
        if (begun == Cell::Answer::none && cell.end().find(kDoesNotLink) != std::string::npos)
            throw FaultFound{Fault::does_not_compile, cell.end()};
        hear(begun);
        result_.confinement = cell.confinement();
        reads_textures_ = makes_textures(library);  // whose reads are no requests
        // What is right is computed only now: the cell's memory knows nothing of it.
        result_.remarks = require_not_vacuous(own_);
        for (const DType dtype : rung_.bound().types) of_type(dtype);
        for (const DType dtype : rung_.bound().types) rehearse(dtype);
        result_.one_block = result_.most_blocks == 1 && !always_one_block();
    }

private:
    /// What a rung's library is loaded with.
    std::vector<fs::path> readable_for(const fs::path& library) const {
        std::vector<fs::path> readable{
            library,      fs::read_symlink("/proc/self/exe"), "/usr", "/lib", "/lib64", "/etc/ld.so.cache",
            "/proc/self", "/sys/devices/system/cpu"};
        for (const fs::path& folder : rung_.build_words().library_folders()) readable.push_back(folder);
        return readable;
    }

    /// Its grid is a number, and no name is in it. What a function on the host launches is not known.
    bool always_one_block() const {
        const std::vector<Expression>& grid = rung_.bound().grid;
        return rung_.bound().function.kernel &&
               std::ranges::all_of(grid, [](const Expression& length) { return length.names().empty(); });
    }

    std::vector<Problem> every_problem() const {
        std::vector<Problem> all;
        for (const DType dtype : rung_.bound().types)
            for (const auto list : {operation_.verified, operation_.timed.simt})
                for (const Extents& extent : list) all.push_back({.extent = extent, .dtype = dtype});
        return all;
    }

    void of_type(DType dtype) {
        verified_ = false;
        // The largest that is affordable shows the most: it has every input and schedule.
        Problem largest{.extent = operation_.verified.front(), .dtype = dtype};
        for (const Extents& extent : operation_.verified) {
            const Problem problem{.extent = extent, .dtype = dtype};
            const std::uint64_t size = effort(operation_, problem);
            if (size <= kInterleaved && size >= effort(operation_, largest)) largest = problem;
        }
        thorough(largest);
        std::size_t number = 0;
        for (const Extents& extent : operation_.verified) {
            const Problem problem{.extent = extent, .dtype = dtype};
            if (problem == largest) continue;
            begin_problem(problem);
            check({options_.seed, kRandomInput});
            const std::size_t inputs = operation_.inputs.size();
            const InputIndex input = inputs > 0 ? 1 + number++ % inputs : kRandomInput;
            if (input != kRandomInput && !only_remarked(operation_, input)) check({options_.seed, input});
        }
        verified_ = true;
        for (const Extents& extent : operation_.timed.simt) timed({.extent = extent, .dtype = dtype});
    }

    /// Launches of the sizes that are timed on a GPU, where they are others: nothing is computed. What ends the cell
    /// here waited for what kernels would have computed.
    void rehearse(DType dtype) {
        for (const Problem& problem : timed_problems(operation_, dtype)) {
            result_.where = fmt::format("{} {}", format_extents(operation_, problem), name_of(dtype));
            if (std::ranges::find(operation_.timed.simt, problem.extent) != operation_.timed.simt.end()) continue;
            write_request(cell_->memory(), {.problem = problem, .rehearsed = true}, operation_, {});
            const Cell::Answer asked = cell_->ask(options_.seconds_of_run);
            if (asked != Cell::Answer::given) {
                note_unrehearsed(asked == Cell::Answer::late ? "it did not come to an end" : "it ended the process");
                return;  // and with the cell all sizes that would follow
            }
            try {
                const RunAnswer answer = read_answer(cell_->memory());
                if (!answer.failure.empty()) throw FaultFound{Fault::failed_launch, answer.failure};
                if (!answer.unended.empty()) note_unrehearsed(answer.unended);
            } catch (const std::runtime_error&) {
                note_unrehearsed("it gave no answer that makes sense");
                return;
            }
        }
    }

    void note_unrehearsed(const std::string& why) {
        result_.remarks.push_back(fmt::format("{}: {}", result_.where, not_rehearsed(why)));
    }

    void thorough(const Problem& problem) {
        begin_problem(problem);
        const std::uint64_t other = random_bits(options_.seed, 0);
        check({options_.seed, kRandomInput}, 0, true);
        check({options_.seed, kRandomInput});
        check({other, kRandomInput});
        check({options_.seed, kRandomInput});
        require_inputs_read();
        const std::uint64_t requests = requests_, to_inputs = requests_to_inputs_;
        check({options_.seed, kRandomInput}, 0, true);
        if (static_cast<double>(requests_to_inputs_) < kSameWork * static_cast<double>(to_inputs))
            throw FaultFound{
                Fault::kept_result,
                fmt::format("{} requests to the inputs when the same came again, {} before: it keeps results "
                            "between calls",
                            grouped(requests_to_inputs_), grouped(to_inputs))};
        if (static_cast<double>(requests_) < kSameWork * static_cast<double>(requests))
            throw FaultFound{Fault::kept_result,
                             fmt::format("{} requests to memory when the same inputs came again, {} before: it "
                                         "keeps results between calls",
                                         grouped(requests_), grouped(requests))};
        for (InputIndex input = 1; input <= operation_.inputs.size(); ++input)
            if (only_remarked(operation_, input))
                remark({options_.seed, input});
            else
                check({options_.seed, input});
        for (int i = 1; i <= options_.schedules; ++i) {
            const std::uint64_t schedule = random_bits(options_.seed, static_cast<std::uint64_t>(i)) >> 32 | 1;
            check({options_.seed, kRandomInput}, schedule);
            ++result_.schedules;
        }
    }

    void timed(const Problem& problem) {
        begin_problem(problem);
        const bool traced = result_.explanation.empty() || effort(operation_, problem) <= kTraced;
        check({options_.seed, kRandomInput}, 0, traced && effort(operation_, problem) <= 16 * kTraced, true);
        check({random_bits(options_.seed, 0), kRandomInput});
    }

    /// A run whose errors are no failure.
    void remark(const Filling& filling) {
        const std::optional<double> before = std::exchange(result_.error, std::nullopt);
        std::string wrong;
        try {
            check(filling);
        } catch (const FaultFound& found) {
            if (!found.difference || found.fault == Fault::changed_input) throw;
            wrong = found.reason;
        }
        if (!wrong.empty()) {
            const auto right = expected(filling);
            const std::string said = remark_on(*right, right->preamble() + wrong, result_.error);
            if (!said.empty()) result_.remarks.push_back(said);
        }
        result_.error = before;
    }

    void begin_problem(const Problem& problem) {
        problem_ = problem;
        good_.clear();
        ++result_.problems;
    }

    std::shared_ptr<const Expected> expected(const Filling& filling) {
        const Filling list[] = {filling};
        return references_.results(operation_, problem_, list).front();
    }

    /// One run and everything that can be said of it. Throws FaultFound.
    void check(const Filling& filling, std::uint64_t schedule = 0, bool traced = false, bool keep = false) {
        result_.where = fmt::format("{} {}, {} input{}", format_extents(operation_, problem_), name_of(problem_.dtype),
                                    operation_.name_of_input(filling.input),
                                    schedule ? fmt::format(", schedule {}", schedule) : "");
        if (since(begin_) > options_.seconds)
            throw FaultFound{Fault::hang, fmt::format("judging took longer than {:.3g} s", options_.seconds)};
        const auto inputs = references_.inputs(operation_, problem_, filling);
        const std::vector<BufferSpec>& specs = inputs->specs();
        std::vector<void*> addresses;
        for (std::size_t i = 0; i < specs.size(); ++i) addresses.push_back(const_cast<std::byte*>(inputs->data(i)));
        const RunRequest request{.problem = problem_,
                                 .seed = random_bits(options_.seed, ++result_.runs),
                                 .schedule = schedule,
                                 .traced = traced,
                                 .shifted = (traced ? ++traced_runs_ : result_.runs) % 2 == 0,
                                 .input_seed = filling.seed};
        write_request(cell_->memory(), request, operation_, Buffers{addresses});
        hear(cell_->ask(std::min(options_.seconds_of_run, std::max(0.1, options_.seconds - since(begin_)))));
        std::vector<std::vector<std::byte>> arrays;
        RunAnswer answer;
        try {
            answer = read_answer(cell_->memory(), operation_, problem_, arrays);
        } catch (const std::exception& error) {
            throw FaultFound{Fault::foreign_memory, fmt::format("the harness's memory was written: {}", error.what())};
        }
        if (filling.input != kRandomInput) ++result_.inputs;
        result_.most_blocks = std::max(result_.most_blocks, answer.most_blocks);
        if (traced) {
            requests_ = answer.requests;
            requests_to_inputs_ = answer.requests_to_inputs;
            if (keep || result_.explanation.empty()) {
                result_.explanation = answer.explanation;
                result_.seconds = answer.seconds;
                result_.low_seconds = answer.low_seconds;
                result_.high_seconds = answer.high_seconds;
                result_.bound = answer.bound;
                result_.timed_size = format_extents(operation_, problem_);
            }
            look_at_findings(answer.explanation);
        }
        if (!answer.failure.empty()) throw FaultFound{Fault::failed_launch, answer.failure};
        if (!answer.breach.empty()) throw FaultFound{Fault::out_of_bounds, answer.breach};
        look_at_host_work(answer, specs, traced);
        if (answer.launches_elsewhere > 0)
            throw FaultFound{Fault::other_stream,
                             fmt::format("{} of {} kernels are launched on another stream than the one that is "
                                         "given: they may run when the clock has stopped",
                                         answer.launches_elsewhere, answer.launches)};
        for (std::size_t i = 0; i < specs.size(); ++i)
            if (specs[i].role == Role::input) look_at_input(specs[i], inputs->data(i), arrays[i]);
        const auto right = expected(filling);
        for (std::size_t i = 0; i < specs.size(); ++i)
            if (specs[i].role == Role::output && !own_.has_comparison())
                look_at_output(*right, i, arrays[i], request, filling);
        if (own_.has_comparison()) {
            for (std::size_t i = 0; i < specs.size(); ++i)
                if (specs[i].role == Role::output) addresses[i] = arrays[i].data();
            if (const std::string said = own_.compare(problem_, Buffers{addresses}); !said.empty())
                throw FaultFound{Fault::wrong_result, said};
        }
        if (answer.written_by_host >= 0)
            throw FaultFound{Fault::computed_by_host,
                             fmt::format("{}[{}] was written by no kernel and no copy: the host computed it",
                                         answer.written_output, answer.written_by_host)};
        if (answer.bytes_kept > 0)
            throw FaultFound{Fault::kept_memory, fmt::format("{} bytes of the device's memory are not given back",
                                                             grouped(static_cast<std::size_t>(answer.bytes_kept)))};
        good_.push_back({filling, right});
    }

    static std::size_t bytes_of(const std::vector<BufferSpec>& specs, Role role) {
        std::size_t bytes = 0;
        for (const BufferSpec& spec : specs)
            if (spec.role == role) bytes += spec.count * size_of(spec.dtype);
        return bytes;
    }

    /// What the device gave must be computed by the device.
    void look_at_host_work(const RunAnswer& answer, const std::vector<BufferSpec>& specs, bool traced) {
        const std::size_t bytes = bytes_of(specs, Role::output), inputs = bytes_of(specs, Role::input);
        if (!traced && bytes > 0 && answer.launches + answer.device_copies == 0)
            throw FaultFound{Fault::computed_by_host, "it launches no kernel and copies nothing on the device"};
        if (answer.bytes_uploaded >= std::max(kSmallUpload, bytes / 2))
            throw FaultFound{
                Fault::computed_by_host,
                fmt::format("{} bytes come from the host's memory in each call, and the outputs have {}: the "
                            "host computed them",
                            grouped(static_cast<std::size_t>(answer.bytes_uploaded)), grouped(bytes))};
        if (inputs > 0 && answer.inputs_downloaded >= std::max(kSmallUpload, inputs / 2))
            throw FaultFound{
                Fault::computed_by_host,
                fmt::format("{} bytes of the inputs, which have {}, are copied to the host in each call: what "
                            "comes back may be computed there",
                            grouped(static_cast<std::size_t>(answer.inputs_downloaded)), grouped(inputs))};
        if (!traced) input_copies_ = answer.input_copies;
    }

    /// Right answers differ with the inputs, and what kernels compute without them the host computes.
    void require_inputs_read() const {
        if (bytes_of(operation_.buffers(problem_), Role::input) == 0 || requests_ == 0) return;
        if (requests_to_inputs_ + input_copies_ > 0 || reads_textures_) return;
        throw FaultFound{Fault::computed_by_host,
                         "no kernel reads an input, and no copy on the device does: what they write is what the host "
                         "knows"};
    }

    /// What the cell's end means.
    void hear(Cell::Answer answer) const {
        if (answer == Cell::Answer::given && cell_->tampered())
            throw FaultFound{Fault::foreign_memory, "it wrote to memory of the harness"};
        if (answer == Cell::Answer::given) return;
        const std::string& end = cell_->end();
        if (answer == Cell::Answer::late) throw FaultFound{Fault::hang, end};
        if (cell_->forbidden()) throw FaultFound{Fault::forbidden_call, end};
        if (end.starts_with("it ended by itself")) throw FaultFound{Fault::exit, end};
        throw FaultFound{Fault::crash, end};
    }

    /// Of what makes results wrong, the worst comes first.
    static void look_at_findings(const std::string& explanation) {
        const Json json = Json::parse_or_null(explanation);
        if (!json.is_object() || !json.contains("results") || json["results"].empty()) return;
        for (const Json& finding : json["results"][0]["findings"]) {
            if (finding.value("severity", "") != "error") continue;
            const std::string rule = finding.value("rule", ""), evidence = finding.value("evidence", "");
            std::string place;
            if (finding.contains("place") && finding["place"].is_object())
                place = fmt::format("{}:{}: ", fs::path(finding["place"].value("file", "")).filename().string(),
                                    finding["place"].value("line", 0));
            throw FaultFound{fault_of(rule, evidence), fmt::format("{}{}: {}", place, rule, evidence)};
        }
    }

    void look_at_input(const BufferSpec& spec, const std::byte* before, const std::vector<std::byte>& found) const {
        Differences differences;
        compare(spec.dtype, before, found.data(), 0, spec.count, {}, nullptr, differences);
        if (differences.count == 0) return;
        throw FaultFound{Fault::changed_input,
                         fmt::format("the input `{0}` was changed: {0}[{1}] is {2} and was {3}", spec.name,
                                     differences.first, differences.found, differences.right),
                         difference(spec, differences)};
    }

    static FirstDifference difference(const BufferSpec& spec, const Differences& differences) {
        return {.array = std::string(spec.name),
                .found = differences.found,
                .right = differences.right,
                .index = differences.first,
                .differing = differences.count,
                .count = spec.count};
    }

    void look_at_output(const Expected& right, std::size_t array, const std::vector<std::byte>& found,
                        const RunRequest& request, const Filling& filling) {
        const BufferSpec& spec = right.specs()[array];
        const Tolerance tolerance = right.tolerance(array);
        Differences differences;
        compare(spec.dtype, right.data(array), found.data(), 0, spec.count, tolerance, right.magnitudes(array),
                differences);
        // Of subnormal numbers one rounding is a large share.
        const bool counts =
            !tolerance.exact() && (filling.input == kRandomInput || only_remarked(operation_, filling.input));
        if (counts) result_.error = std::max(result_.error, differences.error());
        if (differences.count == 0) return;
        const FirstDifference first = difference(spec, differences);
        const std::string what =
            fmt::format("{}[{}] is {} where the reference has {} ({} of {} elements differ)", spec.name, first.index,
                        first.found, first.right, grouped(first.differing), grouped(spec.count));
        throw FaultFound{classify(array, found, spec, differences, request, filling, right), what, first};
    }

    /// Such a result is not known again: what computes nothing looks alike.
    static bool all_zero(const std::byte* values, std::size_t bytes) {
        return std::all_of(values, values + bytes, [](std::byte each) { return each == std::byte{0}; });
    }

    Fault classify(std::size_t array, const std::vector<std::byte>& found, const BufferSpec& spec,
                   const Differences& differences, const RunRequest& request, const Filling& filling,
                   const Expected& right) const {
        const std::size_t size = size_of(spec.dtype), at = differences.first * size;
        std::vector<std::byte> poison(found.size());
        fill_poison(request.seed, array, poison);
        const bool unwritten = std::memcmp(poison.data() + at, found.data() + at, size) == 0;
        if (verified_) return Fault::skipped_work;
        for (const auto& [earlier, result] : good_) {
            if (earlier == filling || all_zero(result->data(array), found.size())) continue;
            Differences as_before;
            compare(spec.dtype, result->data(array), found.data(), 0, spec.count, result->tolerance(),
                    result->magnitudes(array), as_before);
            if (as_before.count == 0) return Fault::kept_result;
        }
        for (const auto& [earlier, result] : good_)
            if (earlier == filling) return Fault::kept_memory;
        if (unwritten) return Fault::left_unwritten;
        const auto error = differences.error();
        // A narrower type rounds; it makes no infinity of a number.
        const auto number = [](const std::string& text) {
            double value = 0;
            std::from_chars(text.data(), text.data() + text.size(), value);
            return value;
        };
        const bool finite = std::isfinite(number(differences.found)) && std::isfinite(number(differences.right));
        if (error && finite && number(differences.found) != 0 && !right.tolerance().exact() && *error < kNarrow)
            return Fault::low_precision;
        return Fault::wrong_result;
    }

    struct Good {
        Filling filling;
        std::shared_ptr<const Expected> result;
    };

    OwnOperation& own_;
    const Operation& operation_;
    OwnRung& rung_;
    const JudgeOptions& options_;
    Judgement& result_;
    Clock::time_point begin_;
    Cell* cell_ = nullptr;
    References references_;
    Problem problem_;
    /// What it got right of this problem.
    std::vector<Good> good_;
    bool verified_ = false;
    std::size_t traced_runs_ = 0;
    bool reads_textures_ = false;
    std::uint64_t requests_ = 0, requests_to_inputs_ = 0, input_copies_ = 0;
};

}  // namespace

Judgement judge(OwnOperation& operation, const RungSource& source, const Build& build, const JudgeOptions& options) {
    Judgement result;
    result.seed = options.seed;
    if (!fs::exists(source.file)) throw FileError(fmt::format("{}: there is no such file", source.file.string()));
    if (fs::is_directory(source.file))
        throw FileError(fmt::format("{} is a folder: name a .cu file of it", source.file.string()));
    try {
        OwnRung* rung = nullptr;
        if (defines_rung(source.file))
            throw FaultFound{
                Fault::does_not_compile,
                fmt::format("{} ends with LANEWORK_RUNG, whose launcher is host code: a kernel with a plain "
                            "signature, or a function launch(…), is judged",
                            source.file.filename().string())};
        try {
            rung = &OwnRung::make(operation, source);
        } catch (const UsageError& error) {  // it cannot be bound: its author's mistake, not the judge's
            throw FaultFound{Fault::does_not_compile, error.what()};
        } catch (const FileError& error) {
            throw FaultFound{Fault::does_not_compile, error.what()};
        }
        const Clock::time_point begin = Clock::now();
        const std::string beyond = rung->own_build_words().beyond_own_sources(rung->file().parent_path());
        if (!beyond.empty())
            throw FaultFound{
                Fault::evades_watch,
                fmt::format("its first comment builds it with `{}`: of itself a rung may name .cu files and "
                            "folders of headers inside its own; --build is for what you trust",
                            beyond)};
        if (const std::string evasion = evading_word(own_files(*rung)); !evasion.empty())
            throw FaultFound{Fault::evades_watch, evasion};
        const CompiledRung compiled = compile_in_cell(*rung, build, options);
        if (const std::string evasion = evading_symbol(compiled.objects); !evasion.empty())
            throw FaultFound{Fault::evades_watch, evasion};
        if (const std::string call = forbidden_symbol(compiled.objects); !call.empty())
            throw FaultFound{Fault::forbidden_call, call};
        result.compile_seconds = since(begin);
        const Clock::time_point loaded = Clock::now();
        try {
            Judge(operation, *rung, options, result).run(compiled.library);
            result.where.clear();
        } catch (const FaultFound&) {
            result.judge_seconds = since(loaded);
            throw;
        }
        result.judge_seconds = since(loaded);
    } catch (const FaultFound& found) {
        result.fault = found.fault;
        result.reason = found.reason;
        result.difference = found.difference;
    }
    return result;
}

}  // namespace lanework
