// Finds the machine code of a launch by the kernel's name, and among instances of one name by their results.
#include "src/trace/record/machine_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework_simt/launch.hpp>
#include <optional>
#include <utility>

#include "src/core/host.hpp"
#include "src/core/text.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/function_name.hpp"
#include "src/trace/record/counted_execution.hpp"
#include "src/trace/record/source_lines.hpp"

namespace lanework {
namespace {

// Of an explained launch: more would take minutes.
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 30;
constexpr std::size_t kMostCandidates = 8;

// Runs in another order and with other roundings; none of what is executed for so long.
constexpr unsigned kVariations = 3;
constexpr std::uint64_t kMostVaried = std::uint64_t{1} << 26;
// A run that takes so many times as long, and so much besides, waits for what does not come in that order.
constexpr std::uint64_t kMostTimesAsMany = 8, kTurnsOfWaiting = std::uint64_t{1} << 20;

/// "sum<float, (lanework::Order)1, 4u>" → "sum<float,1,4>": as far as compilers agree on the spelling.
std::string plain_name(std::string_view name) {
    std::string text(name);
    constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
        {"long long unsigned int", "unsigned long long"},
        {"long long int", "long long"},
        {"long unsigned int", "unsigned long"},
        {"short unsigned int", "unsigned short"},
        {"long int", "long"},
        {"short int", "short"},
        {"lanework_simt::halves::Number<lanework_simt::halves::Binary16>", "__half"},
        {"lanework_simt::halves::Number<lanework_simt::halves::Brain16>", "__nv_bfloat16"},
        {"lanework_simt::halves::Pair<lanework_simt::halves::Binary16>", "__half2"},
        {"lanework_simt::halves::Pair<lanework_simt::halves::Brain16>", "__nv_bfloat162"}};
    for (const auto& [from, to] : kSpellings)
        for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    for (const std::string_view scope : {"(anonymous namespace)::", "{anonymous}::", "on_simt::", "on_cuda::"})
        for (auto at = text.find(scope); at != text.npos; at = text.find(scope)) text.erase(at, scope.size());
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool suffix =
            (c == 'u' || c == 'l') && !plain.empty() && plain.back() >= '0' && plain.back() <= '9' &&
            (i + 1 == text.size() || std::string_view(",>ul").find(text[i + 1]) != std::string_view::npos);
        if (c == ' ' || suffix) continue;
        // (type)3 is 3
        if (c == '(') {
            const auto close = text.find(')', i);
            if (close != text.npos && close + 1 < text.size() && text[close + 1] >= '0' && text[close + 1] <= '9') {
                i = close;
                continue;
            }
        }
        plain += c;
    }
    return plain;
}

/// Whether an instruction stores bytes or halves of words.
bool stores_narrow_words(std::string_view name) {
    if (!name.starts_with("ST")) return false;
    for (const char* type : {".U8", ".S8", ".U16", ".S16"})
        if (name.find(type) != name.npos) return true;
    return false;
}
/// The fractions that the code computes with: only such results may differ by their rounding.
Fractions fractions_of(const MachineKernel& kernel) {
    bool computes = false, narrow_words = false;
    for (const MachineInstruction& instruction : kernel.instructions) {
        const Pipe pipe = pipe_of(instruction);
        const std::string_view name = instruction.name;
        // Conversions and reciprocals: how nvcc divides integers, too, but then the results are exact.
        if (pipe == Pipe::special && (!name.starts_with("MUFU.") || name.starts_with("MUFU.RCP"))) continue;
        if (pipe == Pipe::double_precision || name.find(".F64") != name.npos) return Fractions::wide;
        const bool of_halves = pipe == Pipe::half || pipe == Pipe::matrix || name.find("F16") != name.npos;
        narrow_words = narrow_words || of_halves || stores_narrow_words(name);
        computes = computes || of_halves || pipe == Pipe::special ||
                   (pipe == Pipe::single && !name.starts_with("FSEL")) || name.find(".F32") != name.npos;
    }
    return !computes ? Fractions::none : narrow_words ? Fractions::narrow : Fractions::floats;
}

bool same_counts(const MachineTrace& a, const MachineTrace& b) {
    return std::ranges::equal(a.counts, b.counts, [](const MachineCount& x, const MachineCount& y) {
        return x.executed == y.executed && x.lanes == y.lanes && x.lanes_on == y.lanes_on;
    });
}

/// Whether an instruction names the constant bank, or a variable's address as bank 4 has it.
bool reads_variables(const MachineKernel& kernel, unsigned bank) {
    const std::string name = fmt::format("c[0x{}]", bank);
    return std::ranges::any_of(kernel.instructions, [&](const MachineInstruction& instruction) {
        const std::string_view operands = instruction.operands;
        return operands.find(name) != operands.npos ||
               (bank == 4 && operands.find("32@lo(") != operands.npos && operands.find("32@lo((") == operands.npos);
    });
}

bool reads_textures(const MachineKernel& kernel) {
    return std::ranges::any_of(kernel.instructions, [](const MachineInstruction& instruction) {
        return instruction.name.starts_with("TEX") || instruction.name.starts_with("TLD");
    });
}
/// Whether a GPU may round otherwise what no other run of the code does otherwise: blended texels, and sums of
/// matrices.
bool approximates(const MachineKernel& kernel) {
    return reads_textures(kernel) ||
           std::ranges::any_of(kernel.instructions, [](const MachineInstruction& instruction) {
               return pipe_of(instruction) == Pipe::matrix;
           });
}

std::size_t allocated_bytes() {
    std::size_t bytes = 0;
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all()) bytes += range.bytes;
    return bytes;
}

/// Memory is copied twice: a quarter of this machine's, so that the program and its copies fit.
std::size_t most_copied_bytes() { return physical_memory_bytes() / 4; }

/// The innermost line that is the kernel's author's: what headers of the toolkit do belongs to who uses them.
SourcePlace authors_place(const CodePlace& place) {
    for (const CodeLine& line : place) {
        std::string file = project_file(line.file);
        if (!is_plumbing(file)) return {.file = std::move(file), .line = line.line, .column = 0, .function = {}};
    }
    return {};
}

/// Whether an atomic operation was executed whose result somebody reads: it hangs on who came first.
bool asks_who_came_first(const MachineTrace& trace) {
    for (std::size_t i = 0; i < trace.counts.size(); ++i) {
        const MachineInstruction& instruction = trace.kernel->instructions[i];
        if (trace.counts[i].lanes_on == 0 || !instruction.name.starts_with("ATOM")) continue;
        const auto operands = parse_operands(instruction.operands);
        const auto result = std::ranges::find(operands, MachineOperand::Kind::reg, &MachineOperand::kind);
        if (result != operands.end() && result->index != kZeroRegister) return true;
    }
    return false;
}

/// Surfaces are named by numbers, and what a kernel allocates lies where nobody looks.
bool names_all_that_it_stores_to(const MachineKernel& kernel) {
    return std::ranges::none_of(kernel.instructions, [](const MachineInstruction& instruction) {
        return instruction.name.starts_with("SU") || instruction.operands.find("malloc") != std::string::npos;
    });
}

}  // namespace

MachineTracer::MachineTracer(std::span<const MachineCode> codes) {
    for (const MachineCode& code : codes) units_.push_back({.code = &code});
}

bool MachineTracer::may_be_launched(const MachineKernel& kernel) const {
    return kernel.parameters.size() == arguments_.size() && base_name(kernel_name(kernel.symbol)) == base_name(kernel_);
}

void MachineTracer::launch_begins(const lanework_simt::Launch& launch) {
    kernel_ = launch.kernel;
    launch_ = {.grid = {launch.grid.x, launch.grid.y, launch.grid.z},
               .block = {launch.block.x, launch.block.y, launch.block.z},
               .dynamic_shared = launch.shared_bytes,
               .limit = kMostInstructions};
    arguments_ = keep_arguments(launch);
    before_.reset();
    std::vector<const MachineVariables*> variables;
    for (Unit& unit : units_) {
        const auto may_be = [this](const MachineKernel& kernel) { return may_be_launched(kernel); };
        if (std::ranges::none_of(unit.code->kernels, may_be)) continue;
        make_variables(unit, launch);
        unit.constants = unit.variables->constants();
        variables.push_back(unit.variables.get());
    }
    if (variables.empty() || allocated_bytes() > most_copied_bytes()) return;
    before_ = std::make_unique<MemorySnapshot>();
    for (const MachineVariables* const each : variables) {
        for (const std::span<std::byte> range : each->memory()) before_->add(range, true);
        for (const std::span<std::byte> range : each->left_out()) before_->add(range, false);
    }
    // What other files' kernels access: this one can by an address.
    for (const Unit& unit : units_)
        if (unit.variables && std::ranges::find(variables, unit.variables.get()) == variables.end())
            for (const std::span<std::byte> range : unit.variables->memory()) before_->add(range, false);
    gpu_memory_.launch_begins(*before_);
}

void MachineTracer::make_variables(Unit& unit, const lanework_simt::Launch& launch) {
    if (unit.variables) return;
    unit.variables = std::make_unique<MachineVariables>(*unit.code, reinterpret_cast<const void*>(launch.run));
    gpu_memory_.add(*unit.variables);
}

void MachineTracer::launch_unseen(const lanework_simt::Launch& launch) {
    if (!gpu_memory_.knows_stores_of(launch.kernel))
        for (Unit& unit : units_) make_variables(unit, launch);
    gpu_memory_.launch_unseen(launch.kernel, keep_arguments(launch));
}

std::vector<MachineTracer::Candidate> MachineTracer::candidates(const std::vector<std::string>& functions) const {
    std::vector<Candidate> all, named;
    std::vector<std::string> names;
    for (const std::string& function : functions)
        if (base_name(function) == base_name(kernel_)) names.push_back(plain_name(function));
    for (const Unit& unit : units_)
        for (const MachineKernel& kernel : unit.code->kernels)
            if (may_be_launched(kernel)) all.push_back({&kernel, &unit});
    // An instance that takes other arguments is not the one that was launched.
    const auto takes_others = [this](const Candidate& each) {
        return !lay_out(*each.kernel, arguments_).error.empty();
    };
    if (!std::ranges::all_of(all, takes_others)) std::erase_if(all, takes_others);
    for (const Candidate& each : all)
        if (std::ranges::find(names, plain_name(kernel_name(each.kernel->symbol))) != names.end())
            named.push_back(each);
    return named.empty() ? all : named;
}

GpuMemory::Reach MachineTracer::reach_of(const std::vector<Candidate>& all) {
    const bool named = !all.empty() && std::ranges::all_of(all, [](const Candidate& each) {
        return names_all_that_it_stores_to(*each.kernel);
    });
    return named ? GpuMemory::Reach::arguments : GpuMemory::Reach::everything;
}

MachineTracer::Followed MachineTracer::run(const Candidate& candidate) const {
    const MachineKernel& kernel = *candidate.kernel;
    const MachineVariables& variables = *candidate.unit->variables;
    auto trace = std::make_shared<MachineTrace>();
    Followed followed{trace, {gpu_memory_.doubtful(), DoubtfulMemory::kAll, {}, stored_through(kernel)}};
    LeftByLaunch& left = followed.left;
    trace->kernel = std::make_shared<MachineKernel>(kernel);
    for (const CodePlace& place : kernel.places) trace->places.push_back(authors_place(place));
    const LaidOutParameters parameters = lay_out(kernel, arguments_);
    trace->reason = parameters.error;
    for (const unsigned bank : {3u, 4u})
        if (trace->reason.empty() && reads_variables(kernel, bank) && !variables.unclear(bank).empty())
            trace->reason = fmt::format("which variable of the traced program {} is, is not known",
                                        base_name(kernel_name(variables.unclear(bank))));
    if (!trace->reason.empty()) return followed;
    MachineLaunch launch = launch_of(candidate, parameters);
    MemorySnapshot memory = gpu_memory_.on_gpu(*before_);
    if (!gpu_memory_.doubtful().empty() || gpu_memory_.host_is_in_doubt()) launch.doubtful = &left.doubtful;
    UnorderedWords unordered;
    if (!orders_by_hand(kernel)) launch.unordered_found = &unordered;
    MachineRun run = execute_into(*trace, launch, arguments_, memory, &left.stored);
    launch.unordered_found = nullptr;
    if (run.complete() && !unordered.empty()) {
        // What hangs on the words that nobody orders is followed.
        launch.unordered = &unordered;
        launch.doubtful = &(left.doubtful = gpu_memory_.doubtful());
        trace->sites.clear();
        memory = gpu_memory_.on_gpu(*before_);
        run = execute_into(*trace, launch, arguments_, memory, &left.stored);
        trace->unordered = true;
    }
    const std::vector<bool> waiting = waiting_instructions(kernel);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        trace->waits = trace->waits || (waiting[i] && trace->counts[i].executed != 0);
    trace->reason = run.error;
    trace->followed = run.complete();
    trace->copies = std::ranges::any_of(kernel.instructions, [](const MachineInstruction& instruction) {
        return instruction.name.starts_with("LDGSTS");
    });
    trace->drawn = drawn_accesses(kernel);
    trace->prints = run.prints;
    if (!run.complete()) return followed;
    const Fractions fractions = fractions_of(kernel);
    // Where the launch begins with other memory than the traced kernel's, the code is judged by a run on the latter.
    std::optional<MemorySnapshot> theirs;
    if (gpu_memory_.carries_words()) {
        theirs.emplace(*before_);
        MachineTrace spare;
        spare.kernel = trace->kernel;
        launch.limit = kMostVaried;
        launch.doubtful = nullptr;
        if (run.executed > kMostVaried || !execute_into(spare, launch, arguments_, *theirs).complete() ||
            theirs->likeness_to_memory(*before_, fractions) == MemorySnapshot::Likeness::different) {
            trace->reason = "what earlier launches rounded otherwise cannot be followed";
            return followed;
        }
    }
    const MemorySnapshot& judged = theirs ? *theirs : memory;
    const auto likeness = judged.likeness_to_memory(*before_, fractions);
    const bool different = likeness == MemorySnapshot::Likeness::different;
    const bool rounded = likeness == MemorySnapshot::Likeness::rounded, steers = steers_by_fractions(kernel);
    const bool ordered = asks_who_came_first(*trace);
    trace->doubtful = run.doubts.course;
    trace->rounded = fractions != Fractions::none && (different || (rounded && steers));
    const bool own_way = fractions != Fractions::none && rounds_its_own_way(kernel);
    // Why its results are in doubt: of an untraced launch, and of this one, whose results a GPU computes to the bit
    // where it does nothing in its own way.
    DoubtfulMemory unlike, doubted, varying;
    std::vector<MachineVariation> fused;
    if (different || rounded) judged.add_what_memory_differs_in(*before_, fractions, unlike);
    if (different || approximates(kernel)) doubted = unlike;
    const bool shaken = run.doubts.quotients;
    if (different || trace->waits || ordered || trace->doubtful || shaken || own_way || (rounded && steers)) {
        std::vector<MemorySnapshot::Word> words;
        if (different) words = judged.different_words(*before_, fractions);
        const Doubts doubts{.unfused = different || steers, .turned = trace->doubtful, .shaken = shaken};
        const auto judge = [&](const MemorySnapshot& varied, const MachineVariation& variation) {
            judged.remove_unsettled(words, varied, fractions);
            if (variation.unfused != 0) return;
            memory.add_what_differs(varied, fractions, varying);
            fused.push_back(variation);
        };
        trace->varied = vary(*trace, launch, run.executed, doubts, judge);
        if (different && (trace->varied.empty() || !words.empty()))
            trace->reason = "the machine code, executed, leaves other results in memory than the traced kernel";
        if (trace->varied.empty())
            for (const MachineArray& array : left.stored) varying.add(DoubtfulMemory::kAll, array.base, array.bytes);
        // No run has said which way the quotients in doubt take.
        trace->doubtful = trace->doubtful || (shaken && trace->varied.empty());
    }
    if (!trace->waits && !ordered && (unlike.why() | varying.why()) & DoubtfulMemory::order && !fused.empty())
        if (const auto by_order = differs_by_order(*trace, launch, memory, fractions, fused))
            for (const MachineArray& range : memory.ranges())
                for (DoubtfulMemory* const each : {&unlike, &doubted, &varying})
                    if (!(by_order->why(range.base, range.bytes) & DoubtfulMemory::order))
                        each->forget(DoubtfulMemory::order, range.base, range.bytes);
    left.why = unlike.why() | varying.why();
    for (const MachineArray& range : memory.ranges())
        doubted.add(varying.why(range.base, range.bytes), range.base, range.bytes);
    left.carried = carried_from(memory, *before_, fractions, doubted);
    for (const MachineArray& range : memory.ranges())
        left.doubtful.add(doubted.why(range.base, range.bytes), range.base, range.bytes);
    left.doubtful.add(unordered.left);
    if (!unordered.empty()) left.why |= DoubtfulMemory::order;
    // With other numbers a later launch may round.
    if (fractions != Fractions::none) left.why |= DoubtfulMemory::rounding;
    return followed;
}

MachineLaunch MachineTracer::launch_of(const Candidate& candidate, const LaidOutParameters& parameters) const {
    MachineLaunch launch = launch_;
    launch.parameters = parameters.bytes;
    launch.constants = candidate.unit->constants;
    launch.addresses = candidate.unit->variables->addresses();
    launch.symbols = candidate.unit->variables->symbols();
    launch.doubtful_parameters = gpu_memory_.host_is_in_doubt();
    return launch;
}

std::vector<KernelCounters> MachineTracer::vary(const MachineTrace& trace, MachineLaunch launch, std::uint64_t executed,
                                                Doubts doubts, const Judge& judge) const {
    if (executed > kMostVaried) return {};
    constexpr unsigned kAll = 8, kHalf = 4;
    std::vector<MachineVariation> variations;
    for (unsigned seed = 1; seed <= kVariations; ++seed)
        variations.push_back({.seed = seed,
                              .unfused = !doubts.unfused ? 0
                                         : seed == 1     ? kAll
                                                         : kHalf,
                              .in_step = seed == kVariations});
    if (doubts.turned || doubts.shaken)
        variations.push_back({.seed = kVariations + 1,
                              .unfused = doubts.unfused ? kHalf : 0,
                              .turns_doubts = doubts.turned,
                              .shakes_doubts = doubts.shaken});
    // A GPU fuses what the code fuses: what it leaves in memory, runs say that do so, too.
    for (const bool in_step : {false, true})
        if (doubts.unfused) variations.push_back({.seed = kVariations + (in_step ? 3u : 2u), .in_step = in_step});
    std::vector<KernelCounters> varied;
    launch.limit = kMostTimesAsMany * executed + kTurnsOfWaiting;
    for (const MachineVariation& variation : variations) {
        // What memory holds says nothing where comparisons were turned round.
        const bool turned = variation.turns_doubts || variation.shakes_doubts;
        DoubtfulMemory doubtful = turned ? gpu_memory_.doubtful() : DoubtfulMemory();
        launch.doubtful = turned ? &doubtful : nullptr;
        launch.variation = variation;
        MachineTrace other;
        other.kernel = trace.kernel;
        MemorySnapshot memory = gpu_memory_.on_gpu(*before_);
        if (!execute_into(other, launch, arguments_, memory).complete()) return {};
        varied.push_back(sum(other));
        if (!turned) judge(memory, variation);
    }
    return varied;
}

std::optional<DoubtfulMemory> MachineTracer::differs_by_order(const MachineTrace& trace, MachineLaunch launch,
                                                              const MemorySnapshot& memory, Fractions fractions,
                                                              const std::vector<MachineVariation>& variations) const {
    launch.doubtful = nullptr;
    DoubtfulMemory by_order;
    for (const MachineVariation& variation : variations) {
        launch.variation = variation;
        launch.variation.functions = false;
        MachineTrace other;
        other.kernel = trace.kernel;
        MemorySnapshot ordered = gpu_memory_.on_gpu(*before_);
        if (!execute_into(other, launch, arguments_, ordered).complete()) return {};
        memory.add_what_differs(ordered, fractions, by_order);
    }
    return by_order;
}

MachineTracer::Followed MachineTracer::chosen_of(const std::vector<Candidate>& all) const {
    auto unknown = std::make_shared<MachineTrace>();
    Followed found;
    for (const Candidate& candidate : all) {
        Followed followed = run(candidate);
        if (!followed.trace->known()) {
            if (unknown->reason.empty()) unknown = followed.trace;
            if (followed.trace->followed) continue;
            // It may be the one that was launched: that another computes the same proves nothing.
            return {followed.trace, {}};
        }
        if (!found.trace) {
            found = std::move(followed);
        } else if (!same_counts(*found.trace, *followed.trace)) {
            unknown = std::make_shared<MachineTrace>();
            unknown->reason = "which of the kernel's instances was launched is not known";
            return {unknown, {}};
        }
    }
    return found.trace ? found : Followed{unknown, {}};
}

std::shared_ptr<const MachineTrace> MachineTracer::launch_ends(const std::vector<std::string>& functions) {
    auto unknown = std::make_shared<MachineTrace>();
    const auto all = candidates(functions);
    if (all.empty())
        unknown->reason = "the machine code that was read holds no kernel of this name";
    else if (!before_)
        unknown->reason = fmt::format("{} of memory are allocated, more than is copied for it ({})",
                                      format_bytes(allocated_bytes()), format_bytes(most_copied_bytes()));
    else if (all.size() > kMostCandidates)
        unknown->reason = "which of the kernel's instances was launched is not known";
    Followed chosen{unknown, {}};
    if (unknown->reason.empty()) {
        // What textures hold is the traced kernels'.
        if (std::ranges::any_of(all, [](const Candidate& each) { return reads_textures(*each.kernel); }))
            gpu_memory_.doubt_carried();
        chosen = chosen_of(all);
        if (!chosen.trace->known() && gpu_memory_.carries_words()) {
            gpu_memory_.doubt_carried();
            chosen = chosen_of(all);
        }
    }
    const bool known = chosen.trace->known();
    gpu_memory_.launch_ended(kernel_, known ? std::optional(std::move(chosen.left)) : std::nullopt,
                             chosen.trace->doubtful, reach_of(all), arguments_, before_.get());
    before_.reset();
    return chosen.trace;
}

}  // namespace lanework