// Finds the machine code of a launch by the kernel's name, and among instances of one name by their results.
#include "src/trace/record/machine_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <lanework_simt/launch.hpp>
#include <optional>
#include <utility>

#include "src/core/host.hpp"
#include "src/core/text.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"
#include "src/trace/analyse/banks.hpp"
#include "src/trace/analyse/coalescing.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/function_name.hpp"
#include "src/trace/record/machine_textures.hpp"
#include "src/trace/record/source_lines.hpp"

namespace lanework {
namespace {

// Of an explained launch: more would take minutes.
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 30;
constexpr std::size_t kMostCandidates = 8;
// What the host decides by is a number or a few; longer arrays are results, of which some word nearly always all but
// cancelled out.
constexpr std::uint64_t kMostDecidedBy = 64;

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

/// Whether two numbers are one that was rounded differently on the way. What whole numbers, and halves of wider ones,
/// look like where they are read as fractions is mostly tinier than any result.
template <class T>
bool near(T a, T b) {
    constexpr bool kWide = sizeof(T) == 8;
    constexpr T kRelative = T(kWide ? 1e-11 : 1e-3), kTiny = T(kWide ? 1e-12 : 1e-6),
                kTiniest = T(kWide ? 1e-30 : 1e-20);
    const auto likely = [](T value) { return value == 0 || std::isnan(value) || std::abs(value) >= kTiniest; };
    if (!likely(a) || !likely(b)) return false;
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    return std::abs(a - b) <= kRelative * std::max(std::abs(a), std::abs(b)) + kTiny;
}
template <class T>
T value_at(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
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

/// Whether 8 bytes that differ may hold the same numbers.
bool near_bytes(const std::byte* a, const std::byte* b, std::size_t count, Fractions fractions) {
    if (fractions == Fractions::none) return false;
    if (fractions == Fractions::wide && count == 8 && near(value_at<double>(a), value_at<double>(b))) return true;
    bool floats = count % 4 == 0;
    for (std::size_t at = 0; floats && at + 4 <= count; at += 4)
        floats = std::memcmp(a + at, b + at, 4) == 0 || near(value_at<float>(a + at), value_at<float>(b + at));
    if (floats) return true;
    // Halves, of which the last place is a thousandth, or rounded bytes.
    for (std::size_t at = 0; at + 2 <= count; at += 2) {
        const int x = value_at<std::uint16_t>(a + at), y = value_at<std::uint16_t>(b + at);
        if (std::abs(x - y) > 1) return false;
    }
    return true;
}

/// Whether 8 bytes that are near each other hold a number that all but cancelled out: what is left is 0 in one of them,
/// or differs by more than the last place of the shortest numbers there are, of 8 bits.
bool cancels_out(const std::byte* a, const std::byte* b, std::size_t count, Fractions fractions) {
    const auto cancelled = [](auto x, auto y) {
        constexpr auto kShortest = static_cast<decltype(x)>(0x1p-6);
        return near(x, y) && std::abs(x - y) > kShortest * std::max(std::abs(x), std::abs(y));
    };
    if (fractions == Fractions::none) return false;
    if (fractions == Fractions::wide && count == 8 && near(value_at<double>(a), value_at<double>(b)))
        return cancelled(value_at<double>(a), value_at<double>(b));
    for (std::size_t at = 0; at + 4 <= count; at += 4)
        if (cancelled(value_at<float>(a + at), value_at<float>(b + at))) return true;
    return false;
}

/// The middle size of the numbers around a word, where nearly all of them are floats of usual sizes; else 0.
float scale_around(std::span<const std::byte> array, std::size_t at) {
    constexpr std::size_t kAround = 256, kWords = 2 * kAround / 4 + 2;
    constexpr float kUsual = 1e-20f, kMost = 1e20f;
    const std::size_t first = at - std::min(at, kAround), end = std::min(at + kAround, array.size());
    std::array<float, kWords> sizes;
    std::size_t usual = 0, others = 0;
    for (std::size_t word = first / 4 * 4; word + 4 <= end; word += 4) {
        const float size = std::abs(value_at<float>(&array[word]));
        if (size == 0) continue;
        if (size >= kUsual && size <= kMost)
            sizes[usual++] = size;
        else
            ++others;
    }
    constexpr std::size_t kFew = 16;  // so many floats for each word that looks like none
    if (usual == 0 || others * kFew > usual) return 0;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(usual / 2);
    std::nth_element(sizes.begin(), middle, sizes.begin() + static_cast<std::ptrdiff_t>(usual));
    return *middle;
}

/// Whether floats differ by no more than what their neighbours' size lets be rounding: of sums that all but cancel out.
/// Whole numbers among them look like floats that are no normal numbers.
bool near_for_their_scale(const std::byte* now, std::span<const std::byte> mine, std::size_t at, std::size_t count,
                          Fractions fractions) {
    constexpr float kPlaces = 0x1p-22f;  // of 24 bits the last two
    if (fractions != Fractions::floats || count % 4 != 0) return false;
    const float scale = std::min(scale_around(mine, at), scale_around({now, mine.size()}, at));
    for (std::size_t word = at; word < at + count; word += 4) {
        const auto a = value_at<float>(now + word), b = value_at<float>(&mine[word]);
        const bool whole = !std::isnormal(a) && !std::isnormal(b) && std::memcmp(&a, &b, sizeof a) != 0;
        if (whole || !(std::abs(a - b) <= kPlaces * scale)) return false;
    }
    return true;
}

/// Whether the number of this type that the word at `at` belongs to changed in another run by a fair part of what it
/// differs from what lies in memory `now`.
template <class T>
bool is_unsettled(std::span<const std::byte> mine, std::span<const std::byte> other, std::span<const std::byte> now,
                  std::size_t at, bool is_type) {
    constexpr double kMostTimes = 16;
    at = at / sizeof(T) * sizeof(T);
    if (!is_type || at + sizeof(T) > mine.size()) return false;
    const auto a = static_cast<double>(value_at<T>(&mine[at])), b = static_cast<double>(value_at<T>(&other[at])),
               c = static_cast<double>(value_at<T>(&now[at]));
    if (!std::isfinite(a) || !std::isfinite(c)) return std::isfinite(a) != std::isfinite(b);
    return a != b && (!std::isfinite(b) || std::abs(a - c) <= kMostTimes * std::abs(a - b));
}

bool same_counts(const MachineTrace& a, const MachineTrace& b) {
    return std::ranges::equal(a.counts, b.counts, [](const MachineCount& x, const MachineCount& y) {
        return x.executed == y.executed && x.lanes == y.lanes && x.lanes_on == y.lanes_on;
    });
}

/// Whether the words of [at, at + count) that differ were left alone, next to words that were stored.
bool is_padding(const std::byte* now, std::span<const std::byte> after, std::span<const std::byte> before,
                std::size_t at, std::size_t count) {
    constexpr std::size_t kWord = 4, kAround = 16;
    for (std::size_t word = at; word < at + count; word += kWord) {
        const std::size_t bytes = std::min(kWord, at + count - word);
        if (std::memcmp(now + word, &after[word], bytes) == 0) continue;
        if (std::memcmp(&after[word], &before[word], bytes) != 0) return false;
        const std::size_t first = word - std::min(word, kAround), end = std::min(word + kAround, after.size());
        if (std::memcmp(&after[first], &before[first], end - first) == 0) return false;
    }
    return true;
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

/// The arrays that arguments name, in their order.
std::vector<MachineArray> arrays_of(const std::vector<KeptArgument>& arguments) {
    std::vector<MachineArray> arrays;
    for (const KeptArgument& argument : arguments)
        for (std::size_t at = 0; at + sizeof(void*) <= argument.bytes.size(); at += sizeof(void*))
            if (const auto range = lanework_simt::memory_map().find(value_at<const void*>(&argument.bytes[at])))
                arrays.push_back({reinterpret_cast<std::uint64_t>(range->base), range->bytes});
    return arrays;
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

/// The memory that the code finds, and what it does to it.
class World final : public MachineWorld {
public:
    World(MemorySnapshot& memory, const std::vector<KeptArgument>& arguments, MachineTrace& trace)
        : memory_(memory), textures_(arguments), trace_(trace) {
        site_of_.assign(trace.kernel->instructions.size() * kWays, nullptr);
    }

    std::span<std::byte> global(std::uint64_t address) override { return memory_.at(address); }

    MachineArray array(std::uint64_t address) override { return memory_.range_of(address); }
    bool beside_memory(std::uint64_t address) override { return memory_.is_beside(address); }
    bool fetch(const MachineFetch& fetch, MachineTexel& texel) override { return textures_.fetch(fetch, texel); }

    void accessed(const MachineAccess& access) override {
        Site& site = site_of(access);
        Request& request = request_;
        request.site = &site;
        request.lanes = access.lanes;
        request.address = access.address;
        request.block = access.block;
        request.warp = access.warp;
        if (access.space == MachineSpace::global) {
            site.global.add(count_global(request));
            if (access.kind != MachineAccessKind::load) note_arrays(access);
        } else if (access.space == MachineSpace::shared) {
            site.shared.add(count_shared(request));
        } else {
            // A request brings each lane a word.
            constexpr unsigned kWord = 4;
            site.local.requests += std::max(1u, access.bytes / kWord);
            site.local.lanes += static_cast<unsigned>(__builtin_popcount(access.lanes));
        }
    }

    void finish() {
        for (const auto& [instruction, site] : sites_) trace_.sites.push_back({instruction, site});
        std::ranges::stable_sort(trace_.sites, {}, &MachineSite::instruction);
    }
    /// The arrays that were written to.
    const std::vector<MachineArray>& stored() const { return stored_; }

private:
    void note_arrays(const MachineAccess& access) {
        for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
            const std::uint64_t address = access.address[static_cast<unsigned>(__builtin_ctz(left))];
            const auto holds = [&](const MachineArray& array) { return address - array.base < array.bytes; };
            if (stored_.empty() || (!holds(stored_.back()) && std::ranges::none_of(stored_, holds)))
                stored_.push_back(memory_.range_of(address));
        }
    }

    static constexpr std::size_t kWays = 4;  // spaces that one instruction may access

    Site& site_of(const MachineAccess& access) {
        Site*& site = site_of_[access.instruction * kWays + static_cast<std::size_t>(access.space)];
        if (site) return *site;
        Site& made = sites_.emplace_back(access.instruction, Site{}).second;
        made.id = static_cast<std::uint32_t>(sites_.size() - 1);
        constexpr EventKind kKinds[] = {EventKind::load, EventKind::store, EventKind::atomic, EventKind::reduction};
        constexpr Space kSpacesOf[] = {Space::global, Space::shared, Space::local, Space::constant};
        made.kind = kKinds[static_cast<std::size_t>(access.kind)];
        made.space = kSpacesOf[static_cast<std::size_t>(access.space)];
        made.bytes = access.bytes;
        return *(site = &made);
    }

    MemorySnapshot& memory_;
    MachineTextures textures_;
    MachineTrace& trace_;
    Request request_{};
    std::deque<std::pair<std::uint32_t, Site>> sites_;
    std::vector<Site*> site_of_;
    std::vector<MachineArray> stored_;
};

MachineRun execute_into(MachineTrace& trace, const MachineLaunch& launch, const std::vector<KeptArgument>& arguments,
                        MemorySnapshot& memory, std::vector<MachineArray>* stored = nullptr) {
    World world(memory, arguments, trace);
    MachineRun run = execute(*trace.kernel, launch, world);
    world.finish();
    trace.counts = run.counts;
    trace.longest_warp = run.longest_warp;
    if (stored) *stored = world.stored();
    return run;
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

}  // namespace

MemorySnapshot::MemorySnapshot() {
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        copies_.push_back({reinterpret_cast<std::uint64_t>(range.base), {range.base, range.base + range.bytes}});
}

void MemorySnapshot::add(std::span<std::byte> range, bool judged) {
    const auto base = reinterpret_cast<std::uint64_t>(range.data());
    if (range.empty() || !at(base).empty()) return;
    copies_.insert(std::ranges::upper_bound(copies_, base, {}, &Copy::base),
                   {base, {range.begin(), range.end()}, judged});
}

std::span<std::byte> MemorySnapshot::at(std::uint64_t address) {
    const auto after = std::ranges::upper_bound(copies_, address, {}, &Copy::base);
    if (after == copies_.begin()) return {};
    Copy& copy = *(after - 1);
    const std::uint64_t offset = address - copy.base;
    if (offset >= copy.bytes.size()) return {};
    return std::span(copy.bytes).subspan(offset);
}

MachineArray MemorySnapshot::range_of(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(copies_, address, {}, &Copy::base);
    if (after == copies_.begin()) return {};
    const Copy& copy = *(after - 1);
    if (address - copy.base >= copy.bytes.size()) return {};
    return {copy.base, copy.bytes.size()};
}

std::vector<MachineArray> MemorySnapshot::ranges() const {
    std::vector<MachineArray> ranges;
    for (const Copy& copy : copies_) ranges.push_back({copy.base, copy.bytes.size()});
    return ranges;
}

void MemorySnapshot::add_what_differs(const MemorySnapshot& other, Fractions fractions, DoubtfulMemory& left) const {
    constexpr std::size_t kStep = 8;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const std::vector<std::byte>&mine = copies_[k].bytes, &others = other.copies_[k].bytes;
        unsigned why = 0;
        for (std::size_t at = 0; at < mine.size() && why != DoubtfulMemory::kAll; at += kStep) {
            const std::size_t count = std::min(kStep, mine.size() - at);
            if (std::memcmp(&mine[at], &others[at], count) == 0) continue;
            why |= why_of(near_bytes(&mine[at], &others[at], count, fractions)              ? Difference::rounding
                          : near_for_their_scale(others.data(), mine, at, count, fractions) ? Difference::cancelled
                                                                                            : Difference::other);
        }
        if (why != 0) left.add(why, copies_[k].base, mine.size());
    }
}

bool MemorySnapshot::is_beside(std::uint64_t address) const {
    constexpr std::uint64_t kPage = std::uint64_t{1} << 21;  // that a GPU's memory is mapped in
    return std::ranges::any_of(copies_, [&](const Copy& copy) {
        return address + kPage >= copy.base && address < copy.base + copy.bytes.size() + kPage;
    });
}

std::uint8_t MemorySnapshot::why_of(Difference difference) {
    switch (difference) {
        case Difference::rounding: return DoubtfulMemory::rounding;
        case Difference::cancelled: return DoubtfulMemory::rounding | DoubtfulMemory::size;
        case Difference::other: return DoubtfulMemory::kAll;
        case Difference::padding: break;
    }
    return 0;
}

template <class Visit>
void MemorySnapshot::compare_with_memory(const MemorySnapshot& before, Fractions fractions, Visit visit) const {
    constexpr std::size_t kStep = 8;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const Copy& copy = copies_[k];
        if (!copy.judged) continue;
        const auto* const now = reinterpret_cast<const std::byte*>(copy.base);
        if (std::memcmp(now, copy.bytes.data(), copy.bytes.size()) == 0) continue;
        for (std::size_t at = 0; at < copy.bytes.size(); at += kStep) {
            const std::size_t count = std::min(kStep, copy.bytes.size() - at);
            if (std::memcmp(now + at, copy.bytes.data() + at, count) == 0) continue;
            const Difference difference =
                near_bytes(now + at, copy.bytes.data() + at, count, fractions)    ? Difference::rounding
                : near_for_their_scale(now, copy.bytes, at, count, fractions)     ? Difference::cancelled
                : is_padding(now, copy.bytes, before.copies_[k].bytes, at, count) ? Difference::padding
                                                                                  : Difference::other;
            if (!visit(k, at, count, difference)) return;
        }
    }
}

void MemorySnapshot::set(std::uint64_t address, std::uint32_t value) {
    const std::span<std::byte> word = at(address);
    if (word.size() >= sizeof value) std::memcpy(word.data(), &value, sizeof value);
}

std::optional<std::vector<CarriedWord>> MemorySnapshot::what_memory_differs_in(const MemorySnapshot& before,
                                                                               Fractions fractions, std::size_t most,
                                                                               DoubtfulMemory& ends) const {
    constexpr std::size_t kWord = 4;
    std::vector<CarriedWord> words;
    compare_with_memory(before, fractions,
                        [&](std::size_t k, std::size_t at, std::size_t count, Difference difference) {
                            const Copy& copy = copies_[k];
                            const auto* const now = reinterpret_cast<const std::byte*>(copy.base);
                            unsigned why = why_of(difference);
                            if (cancels_out(&copy.bytes[at], now + at, count, fractions)) why |= DoubtfulMemory::size;
                            std::size_t word = at;
                            for (; word + kWord <= at + count; word += kWord) {
                                const auto mine = value_at<std::uint32_t>(&copy.bytes[word]),
                                           theirs = value_at<std::uint32_t>(now + word);
                                if (mine != theirs)
                                    words.push_back({copy.base + word, mine, theirs, static_cast<std::uint8_t>(why)});
                            }
                            const std::size_t rest = at + count - word;
                            if (rest != 0 && std::memcmp(&copy.bytes[word], now + word, rest) != 0)
                                ends.add(why, copy.base + word, rest);
                            return words.size() <= most;
                        });
    if (words.size() > most) return {};
    return words;
}

MemorySnapshot::Likeness MemorySnapshot::likeness_to_memory(const MemorySnapshot& before, Fractions fractions) const {
    Likeness likeness = Likeness::equal;
    compare_with_memory(before, fractions, [&](std::size_t, std::size_t, std::size_t, Difference difference) {
        if (difference == Difference::rounding || difference == Difference::cancelled) likeness = Likeness::rounded;
        if (difference == Difference::other) likeness = Likeness::different;
        return likeness != Likeness::different;
    });
    return likeness;
}

void MemorySnapshot::add_what_memory_differs_in(const MemorySnapshot& before, Fractions fractions,
                                                DoubtfulMemory& left) const {
    std::vector<unsigned> why(copies_.size());
    compare_with_memory(before, fractions, [&](std::size_t k, std::size_t, std::size_t, Difference difference) {
        why[k] |= why_of(difference);
        return true;
    });
    for (std::size_t k = 0; k < copies_.size(); ++k)
        if (why[k] != 0) left.add(why[k], copies_[k].base, copies_[k].bytes.size());
}

std::vector<MemorySnapshot::Word> MemorySnapshot::different_words(const MemorySnapshot& before,
                                                                  Fractions fractions) const {
    constexpr std::size_t kWord = 4;
    std::vector<Word> words;
    compare_with_memory(
        before, fractions, [&](std::size_t k, std::size_t at, std::size_t count, Difference difference) {
            const auto* const now = reinterpret_cast<const std::byte*>(copies_[k].base);
            for (std::size_t word = at; difference == Difference::other && word < at + count; word += kWord)
                if (std::memcmp(now + word, &copies_[k].bytes[word], std::min(kWord, at + count - word)) != 0)
                    words.push_back({k, word});
            return true;
        });
    return words;
}

void MemorySnapshot::remove_unsettled(std::vector<Word>& words, const MemorySnapshot& varied,
                                      Fractions fractions) const {
    std::erase_if(words, [&](const Word& word) {
        const Copy& copy = copies_[word.copy];
        const std::span<const std::byte> mine(copy.bytes), other(varied.copies_[word.copy].bytes);
        const std::span now(reinterpret_cast<const std::byte*>(copy.base), copy.bytes.size());
        const std::size_t bytes = std::min(sizeof(float), now.size() - word.at);
        if (near_bytes(&now[word.at], &other[word.at], bytes, fractions)) return true;
        return is_unsettled<double>(mine, other, now, word.at, fractions == Fractions::wide) ||
               is_unsettled<float>(mine, other, now, word.at, fractions != Fractions::none) ||
               is_unsettled<std::int32_t>(mine, other, now, word.at, true);
    });
}

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
    // Somebody wrote whom nobody saw: what came of the words is not known.
    const auto changed = [&](const CarriedWord& word) {
        return before_->range_of(word.address).bytes != 0 &&
               value_at<std::uint32_t>(reinterpret_cast<const std::byte*>(word.address)) != word.theirs;
    };
    if (std::ranges::any_of(carried_.all(), changed)) {
        doubt_everything(DoubtfulMemory::rounding | DoubtfulMemory::size);
        carried_.clear();
    }
}

void MachineTracer::make_variables(Unit& unit, const lanework_simt::Launch& launch) const {
    if (!unit.variables)
        unit.variables = std::make_unique<MachineVariables>(*unit.code, reinterpret_cast<const void*>(launch.run));
}

// -- what is in doubt -------------------------------------------------------------------------------------------------

void MachineTracer::doubt_everything(unsigned why) {
    if (why == 0) return;
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        doubtful_.add(why, reinterpret_cast<std::uint64_t>(range.base), range.bytes);
    for (const Unit& unit : units_) {
        if (!unit.variables) continue;
        for (const auto& each : {unit.variables->memory(), unit.variables->left_out()})
            for (const std::span<std::byte> range : each)
                doubtful_.add(why, reinterpret_cast<std::uint64_t>(range.data()), range.size());
    }
}

void MachineTracer::doubt_carried(std::uint64_t address, std::uint64_t bytes) {
    doubtful_.add(carried_.why(address, bytes), address, bytes);
    carried_.erase(address, bytes);
}

void MachineTracer::doubt_carried() {
    if (carried_.empty()) return;
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all()) {
        const auto base = reinterpret_cast<std::uint64_t>(range.base);
        doubtful_.add(carried_.why(base, range.bytes), base, range.bytes);
    }
    carried_.clear();
}

void MachineTracer::launch_unseen(const lanework_simt::Launch& launch) {
    doubt_carried();
    const auto known = left_.find(base_name(launch.kernel));
    const unsigned why = doubtful_.why() | (known == left_.end() ? DoubtfulMemory::kAll : known->second.why);
    if (why == 0) return;
    const bool followed = known != left_.end() && known->second.followed;
    if (!followed) {
        for (Unit& unit : units_) make_variables(unit, launch);
        return doubt_everything(why);
    }
    std::vector<MachineArray> arrays = known->second.stored;
    const std::vector<MachineArray> named = arrays_of(keep_arguments(launch));
    if (!std::ranges::equal(named, arrays_of(known->second.arguments), {}, &MachineArray::base, &MachineArray::base))
        arrays.insert(arrays.end(), named.begin(), named.end());
    for (const MachineArray& array : arrays) doubtful_.add(why, array.base, array.bytes);
}

void MachineTracer::memory_allocated(const void* base, std::size_t bytes) {
    doubtful_.remove(reinterpret_cast<std::uint64_t>(base), bytes);
    carried_.erase(reinterpret_cast<std::uint64_t>(base), bytes);
}

void MachineTracer::let_host_see(std::uint64_t address, std::uint64_t bytes) {
    unsigned why = doubtful_.why(address, bytes) & DoubtfulMemory::order;
    if (bytes <= kMostDecidedBy)
        why |= (doubtful_.why(address, bytes) | carried_.why(address, bytes)) & DoubtfulMemory::size;
    host_saw_ = host_saw_ || why != 0;
}

void MachineTracer::copied(const lanework_simt::StreamCopy& copy) {
    using Way = lanework_simt::StreamCopy::Way;
    const auto from = reinterpret_cast<std::uint64_t>(copy.from), to = reinterpret_cast<std::uint64_t>(copy.to);
    if (copy.prefetches) return;
    if (copy.way == Way::download || copy.way == Way::on_host) let_host_see(from, copy.span);
    if (copy.way == Way::download || copy.way == Way::on_host) return;
    constexpr std::uint64_t kWord = 4;
    const bool on_device = copy.way == Way::on_device;
    const bool whole_words = copy.span == copy.bytes && (to | copy.span | (on_device ? from : 0)) % kWord == 0;
    unsigned why = on_device ? doubtful_.why(from, copy.span) : host_saw_ ? DoubtfulMemory::order : 0;
    if (!whole_words) {
        why |= on_device ? carried_.why(from, copy.span) : 0;
        doubt_carried(to, copy.span);
    } else if (on_device) {
        carried_.copy(from, to, copy.span);
    } else {
        carried_.erase(to, copy.span);
    }
    if (copy.span == copy.bytes) doubtful_.remove(to, copy.span);
    if (why != 0) doubtful_.add(why, to, copy.span);
}

MemorySnapshot MachineTracer::begun() const {
    MemorySnapshot memory = *before_;
    for (const CarriedWord& word : carried_.all()) memory.set(word.address, word.mine);
    return memory;
}

CarriedWords MachineTracer::carried_from(const MemorySnapshot& memory, Fractions fractions,
                                         DoubtfulMemory& doubted) const {
    constexpr std::size_t kMostWords = std::size_t{1} << 22;
    CarriedWords carried;
    const auto words = memory.what_memory_differs_in(*before_, fractions, kMostWords, doubted);
    if (!words) {
        memory.add_what_memory_differs_in(*before_, fractions, doubted);
        return carried;
    }
    for (const CarriedWord& word : *words) {
        if (doubted.why(word.address, sizeof word.mine) != 0) continue;
        const auto range = lanework_simt::memory_map().find(reinterpret_cast<const void*>(word.address));
        if (range && range->device_only()) {
            carried.add(word);
        } else {
            const MachineArray array = memory.range_of(word.address);
            doubted.add(word.why, array.base, array.bytes);
        }
    }
    return carried;
}

// -- following a launch -----------------------------------------------------------------------------------------------

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

MachineTracer::Followed MachineTracer::run(const Candidate& candidate) const {
    const MachineKernel& kernel = *candidate.kernel;
    const MachineVariables& variables = *candidate.unit->variables;
    auto trace = std::make_shared<MachineTrace>();
    Followed followed{trace, {doubtful_, DoubtfulMemory::kAll, {}, arguments_}};
    Left& left = followed.left;
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
    MemorySnapshot memory = begun();
    if (!doubtful_.empty() || host_saw_) launch.doubtful = &left.doubtful;
    const MachineRun run = execute_into(*trace, launch, arguments_, memory, &left.stored);
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
    if (!carried_.empty()) {
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
    if (different || rounded) judged.add_what_memory_differs_in(*before_, fractions, unlike);
    if (different || approximates(kernel)) doubted = unlike;
    const bool shaken = run.doubts.quotients;
    if (different || trace->waits || ordered || trace->doubtful || shaken || own_way || (rounded && steers)) {
        std::vector<MemorySnapshot::Word> words;
        if (different) words = judged.different_words(*before_, fractions);
        const Doubts doubts{.unfused = different || steers, .turned = trace->doubtful, .shaken = shaken};
        trace->varied = vary(*trace, launch, run.executed, doubts, [&](const MemorySnapshot& varied, bool fused) {
            judged.remove_unsettled(words, varied, fractions);
            if (fused) memory.add_what_differs(varied, fractions, varying);
        });
        if (different && (trace->varied.empty() || !words.empty()))
            trace->reason = "the machine code, executed, leaves other results in memory than the traced kernel";
        if (trace->varied.empty())
            for (const MachineArray& array : left.stored) varying.add(DoubtfulMemory::kAll, array.base, array.bytes);
        // No run has said which way the quotients in doubt take.
        trace->doubtful = trace->doubtful || (shaken && trace->varied.empty());
    }
    left.why = unlike.why() | varying.why();
    for (const MachineArray& range : memory.ranges())
        doubted.add(varying.why(range.base, range.bytes), range.base, range.bytes);
    left.carried = carried_from(memory, fractions, doubted);
    for (const MachineArray& range : memory.ranges())
        left.doubtful.add(doubted.why(range.base, range.bytes), range.base, range.bytes);
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
    launch.doubtful_parameters = host_saw_;
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
        DoubtfulMemory doubtful = turned ? doubtful_ : DoubtfulMemory();
        launch.doubtful = turned ? &doubtful : nullptr;
        launch.variation = variation;
        MachineTrace other;
        other.kernel = trace.kernel;
        MemorySnapshot memory = begun();
        if (!execute_into(other, launch, arguments_, memory).complete()) return {};
        varied.push_back(sum(other));
        if (!turned) judge(memory, variation.unfused == 0);
    }
    return varied;
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
            doubt_carried();
        chosen = chosen_of(all);
        if (!chosen.trace->known() && !carried_.empty()) {
            doubt_carried();
            chosen = chosen_of(all);
        }
    }
    before_.reset();
    const bool known = chosen.trace->known();
    Left left{.doubtful = {}, .why = DoubtfulMemory::kAll, .stored = {}, .arguments = {}, .followed = false};
    if (known) left = std::move(chosen.left);
    doubtful_ = known ? left.doubtful : doubtful_;
    carried_ = std::exchange(left.carried, {});
    if (!known || chosen.trace->doubtful) doubt_everything(known ? doubtful_.why() : DoubtfulMemory::kAll);
    left_.emplace(base_name(kernel_), std::move(left));
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        if (!range.device_only()) let_host_see(reinterpret_cast<std::uint64_t>(range.base), range.bytes);
    if (host_saw_) doubt_everything(DoubtfulMemory::order);
    return chosen.trace;
}

}  // namespace lanework
