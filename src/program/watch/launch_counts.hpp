// How often each process of a watched program launched what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "src/io/json.hpp"

namespace lanework {

/// A process counts what it launched itself. The child of a fork goes on with the numbers of its kernels' launches, so
/// that no two of a program are its first.
class LaunchCounts {
public:
    /// A kernel's name; its address, too, where files may have kernels of one name, each its own. The forms of a
    /// template count as one.
    using Kernel = std::pair<std::string, const void*>;

    /// Counts a launch of so many threads; which launch of its kernel it is, from 1.
    std::uint64_t launched(const Kernel& kernel, std::uint64_t threads);
    /// The launch of this kernel that was counted last is explained.
    void is_explained(const Kernel& kernel, std::uint64_t threads) { kernels_[kernel].explained_threads = threads; }
    void explained(std::size_t launches) { own().explained += launches; }
    /// The last one did what an earlier one had done, and was not run.
    void repeated() { ++own().repeats; }
    void left_unchecked() { ++own().unchecked; }
    void checked_after_all() { --own().unchecked; }
    /// The time of a check was over in a launch: the blocks of it that ran unchecked, and all of its blocks.
    void cut_short(std::string kernel, std::uint64_t left_out, std::uint64_t blocks);

    /// Launches so far, those of the parents of this process before they forked it included.
    std::uint64_t so_far() const { return so_far_; }
    /// What this process launched, as JSON.
    Json own_as_json();

private:
    struct CutShort {
        std::string kernel;
        std::uint64_t left_out, blocks;
    };
    struct Own {
        int process = 0;
        std::uint64_t launches = 0, repeats = 0, unchecked = 0, explained = 0;
        std::set<Kernel> kernels;
        std::optional<CutShort> cut_short;
    };
    /// Of this process, begun anew in the child of a fork.
    Own& own();

    /// How often a kernel was launched, which launch was its largest, and the threads of that and of the explained one.
    struct OfKernel {
        std::uint64_t count = 0, largest = 0, most_threads = 0, explained_threads = 0;
    };
    std::map<Kernel, OfKernel> kernels_;
    std::uint64_t so_far_ = 0;
    Own own_;
};

}  // namespace lanework
