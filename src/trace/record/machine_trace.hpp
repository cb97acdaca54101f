// A stage of the tracer: the machine code of a traced launch, executed on the memory that the launch began with. Its
// counters are those of the code that a GPU runs: with the accesses that the compiler joined, without those that it
// dropped, and with the lanes of unrolled loops where it put them.
//
// It is believed where it leaves memory as the traced kernel did; else nothing is said.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/trace/analyse/machine_counters.hpp"
#include "src/trace/record/carried_words.hpp"
#include "src/trace/record/machine_arguments.hpp"
#include "src/trace/record/machine_variables.hpp"

namespace lanework_simt {
struct StreamCopy;
}

namespace lanework {

/// Fractions that a kernel computes with: none; floats, and stores nothing narrower; halves or bytes, too; doubles,
/// too.
enum class Fractions { none, floats, narrow, wide };

/// Copies of the memory that a device had at one time.
class MemorySnapshot {
public:
    /// Of all that is allocated now.
    MemorySnapshot();

    /// Adds what lies in memory without being allocated; whether it is `judged` whether the memory resembles.
    void add(std::span<std::byte> range, bool judged);

    /// From the address on, to the end of its range; empty where it was none.
    std::span<std::byte> at(std::uint64_t address);
    /// The range that the address lies in; of no bytes where it is none.
    MachineArray range_of(std::uint64_t address) const;
    /// All ranges.
    std::vector<MachineArray> ranges() const;
    /// Adds to `left` the ranges that are not alike in this and in `other`, of the same memory: because of rounding,
    /// where numbers are near each other and `fractions` were computed, or because of the order of threads.
    void add_what_differs(const MemorySnapshot& other, Fractions fractions, DoubtfulMemory& left) const;
    /// Adds to `left` the ranges in which what lies in memory now is not like this; `before` is what both began with.
    void add_what_memory_differs_in(const MemorySnapshot& before, Fractions fractions, DoubtfulMemory& left) const;
    /// Sets a word of 4 bytes; nothing where it is no memory.
    void set(std::uint64_t address, std::uint32_t value);
    /// The words that differ from what lies in memory now, in rising order; nothing if there are more than `most`. Adds
    /// to `ends` the bytes that differ behind the last whole word of a range.
    std::optional<std::vector<CarriedWord>> what_memory_differs_in(const MemorySnapshot& before, Fractions fractions,
                                                                   std::size_t most, DoubtfulMemory& ends) const;
    /// Whether the address is before or behind a range, and so near that a GPU has memory there, too.
    bool is_beside(std::uint64_t address) const;
    enum class Likeness { equal, rounded, different };
    /// How what lies in memory now is like this: equal, or the same but for rounding (numbers that are near each
    /// other), where `fractions` were computed; words that only the kernel as written copies do not count: the padding
    /// of what this one stores in parts. `before` is what both began with.
    Likeness likeness_to_memory(const MemorySnapshot& before, Fractions fractions) const;

    /// A word of 4 bytes, of one of the copies.
    struct Word {
        std::size_t copy, at;
    };
    /// The words for which the likeness is `different`.
    std::vector<Word> different_words(const MemorySnapshot& before, Fractions fractions) const;
    /// Takes those away that hang on what was varied in another run of the same code, which left `varied`: they changed
    /// there into what lies in memory now, or not by much less than they differ from it.
    void remove_unsettled(std::vector<Word>& words, const MemorySnapshot& varied, Fractions fractions) const;

private:
    enum class Difference { rounding, cancelled, padding, other };  ///< cancelled: of a sum that is nearly 0
    /// As DoubtfulMemory::Why.
    static std::uint8_t why_of(Difference difference);
    /// Calls `visit(copy, at, count, difference)` for each stretch of 8 bytes that differs, until it returns false.
    template <class Visit>
    void compare_with_memory(const MemorySnapshot& before, Fractions fractions, Visit visit) const;

    struct Copy {
        std::uint64_t base;
        std::vector<std::byte> bytes;
        bool judged = true;
    };
    std::vector<Copy> copies_;  // by base
};

class MachineTracer {
public:
    /// `codes` are those of all kernels that may be launched, one for each file that was compiled, and outlive the
    /// tracer.
    explicit MachineTracer(std::span<const MachineCode> codes);

    void launch_begins(const lanework_simt::Launch& launch);
    /// A launch that is not traced, before it runs.
    void launch_unseen(const lanework_simt::Launch& launch);
    void memory_allocated(const void* base, std::size_t bytes);
    void copied(const lanework_simt::StreamCopy& copy);
    /// What the code did. `functions` are the functions that the traced kernel's own code stands in.
    std::shared_ptr<const MachineTrace> launch_ends(const std::vector<std::string>& functions);

private:
    /// The code of one file, with its variables.
    struct Unit {
        const MachineCode* code;
        std::unique_ptr<MachineVariables> variables = {};
        /// Constant bank 3 as the launch began.
        std::vector<std::byte> constants = {};
    };
    struct Candidate {
        const MachineKernel* kernel;
        const Unit* unit;
    };
    /// What may come out otherwise: sums of products, comparisons of what is in doubt, and quotients of it.
    struct Doubts {
        bool unfused, turned, shaken;
    };
    /// What a launch leaves in doubt, and why what another launch of its kernel stores would be.
    struct Left {
        DoubtfulMemory doubtful;
        unsigned why = 0;
        std::vector<MachineArray> stored;
        std::vector<KeptArgument> arguments;
        /// What a GPU holds otherwise, and is known.
        CarriedWords carried = {};
        /// Else what it does is not known.
        bool followed = true;
    };
    struct Followed {
        std::shared_ptr<MachineTrace> trace;
        Left left;
    };
    bool may_be_launched(const MachineKernel& kernel) const;
    std::vector<Candidate> candidates(const std::vector<std::string>& functions) const;
    Followed run(const Candidate& candidate) const;
    /// The trace of the instance that was launched, or why it is not known.
    Followed chosen_of(const std::vector<Candidate>& all) const;
    /// The memory that a GPU begins the launch with.
    MemorySnapshot begun() const;
    /// Carries the words on in which the code's `memory` differs from what lies there now, but for those in doubt;
    /// where a word cannot be carried, its array is in doubt.
    CarriedWords carried_from(const MemorySnapshot& memory, Fractions fractions, DoubtfulMemory& doubted) const;
    /// These words are in doubt from now on.
    void doubt_carried(std::uint64_t address, std::uint64_t bytes);
    void doubt_carried();
    void make_variables(Unit& unit, const lanework_simt::Launch& launch) const;
    void doubt_everything(unsigned why);
    /// The host may have launched otherwise where it read what the order of threads decides, or a few numbers that are
    /// all rounding error.
    void let_host_see(std::uint64_t address, std::uint64_t bytes);
    MachineLaunch launch_of(const Candidate& candidate, const LaidOutParameters& parameters) const;
    /// The counters of runs in other orders and with other roundings; none where one did not end. `executed`: warp
    /// instructions of the first run. Each one's memory is judged, and whether it fused all products.
    using Judge = std::function<void(const MemorySnapshot&, bool)>;
    std::vector<KernelCounters> vary(const MachineTrace& trace, MachineLaunch launch, std::uint64_t executed,
                                     Doubts doubts, const Judge& judge) const;

    std::vector<Unit> units_;
    std::string kernel_;
    MachineLaunch launch_;
    std::vector<KeptArgument> arguments_;
    /// Null where the launch cannot be followed: too much memory would be copied.
    std::unique_ptr<MemorySnapshot> before_;
    /// What earlier launches left that a GPU may hold otherwise.
    DoubtfulMemory doubtful_;
    CarriedWords carried_;
    bool host_saw_ = false;
    /// What the first launch of each kernel left, by the kernel's name.
    std::map<std::string, Left, std::less<>> left_;
};

}  // namespace lanework
