// What a GPU holds after the launches and copies so far, where that is not what lies in memory here: words that are
// known, which the next launch's machine code is executed on, and memory that is in doubt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/gpu/sass/doubtful_memory.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "src/trace/record/carried_words.hpp"
#include "src/trace/record/machine_arguments.hpp"
#include "src/trace/record/machine_variables.hpp"
#include "src/trace/record/memory_snapshot.hpp"

namespace lanework_simt {
struct StreamCopy;
}

namespace lanework {

/// What a launch leaves in doubt, and why what another launch of its kernel stores would be.
struct LeftByLaunch {
    DoubtfulMemory doubtful;
    unsigned why = 0;
    std::vector<MachineArray> stored;
    /// What says where another launch of its kernel may store to.
    StoredThrough through;
    /// What a GPU holds otherwise, and is known.
    CarriedWords carried = {};
};

class GpuMemory {
public:
    /// Variables that launches may access; they outlive this.
    void add(const MachineVariables& variables) { variables_.push_back(&variables); }

    void allocated(const void* base, std::size_t bytes);
    void copied(const lanework_simt::StreamCopy& copy);

    /// Words that are carried on are in doubt where somebody wrote them unseen. `before` is the memory here as the
    /// launch begins.
    void launch_begins(const MemorySnapshot& before);
    /// Whether a launch can store to no other memory than variables and what its arguments lead to.
    enum class Reach : std::uint8_t { arguments, everything };
    /// `left` is nothing where it is not known what the launch did; `unclear`: memory in doubt decided what it
    /// executed; `before`: the memory here as the launch began, null where no copy of it was made.
    void launch_ended(std::string_view kernel, std::optional<LeftByLaunch> left, bool unclear, Reach reach,
                      const std::vector<KeptArgument>& arguments, const MemorySnapshot* before);
    /// Whether a launch of the kernel said which arrays another stores to.
    bool knows_stores_of(std::string_view kernel) const { return stores_of(kernel) != nullptr; }
    /// A launch that is not traced, before it runs. Where its stores are not known, all variables were added.
    void launch_unseen(std::string_view kernel, const std::vector<KeptArgument>& arguments);

    /// What a launch that finds `before` here finds on a GPU.
    MemorySnapshot on_gpu(const MemorySnapshot& before) const;
    bool carries_words() const { return !carried_.empty(); }
    /// All words that were carried on are in doubt instead.
    void doubt_carried();
    const DoubtfulMemory& doubtful() const { return doubtful_; }
    /// The host may have launched otherwise: it read what the order of threads decides, or a few numbers that are all
    /// rounding error.
    bool host_is_in_doubt() const { return host_saw_; }

private:
    /// Null where it is not known.
    const LeftByLaunch* stores_of(std::string_view kernel) const;
    void doubt_carried(std::uint64_t address, std::uint64_t bytes);
    void doubt_everything(unsigned why);
    /// All that a launch with these arguments can store to is in doubt; `before` is null where it has not run yet.
    void doubt_reached(unsigned why, Reach reach, const std::vector<KeptArgument>& arguments,
                       const MemorySnapshot* before);
    void doubt_variables(unsigned why);
    void let_host_see(std::uint64_t address, std::uint64_t bytes);

    std::vector<const MachineVariables*> variables_;
    DoubtfulMemory doubtful_;
    CarriedWords carried_;
    bool host_saw_ = false;
    struct FirstLaunch {
        /// Nothing where it is not known.
        std::optional<LeftByLaunch> left;
        Reach reach;
    };
    /// By the kernel's name without its arguments.
    std::map<std::string, FirstLaunch, std::less<>> first_launches_;
};

/// The words that are carried on after a launch: those in which the code's `memory` differs from what lies there now,
/// but for `doubted` ones. Where a word cannot be carried, its array is added to `doubted`. `before` is what both began
/// with here.
CarriedWords carried_from(const MemorySnapshot& memory, const MemorySnapshot& before, Fractions fractions,
                          DoubtfulMemory& doubted);

}  // namespace lanework
