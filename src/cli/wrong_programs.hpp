// Programs that go wrong on purpose, built in: each is known as `wrong/NAME`, and is run, checked and explained as a
// file of the user's own would be.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

struct WrongProgram {
    std::string_view name, source;

    /// What is wrong, and what would be right: the comment that opens it, in one line.
    std::string lesson() const;
    /// How it is found: "race at line 15".
    std::string finding() const;
    /// The seed of a schedule under which its output is wrong, where in the natural order it comes out right; 0: none.
    std::uint64_t schedule() const;
};

/// All of them, by name.
std::span<const WrongProgram> wrong_programs();

/// A table of them all, a line each.
std::string list_wrong_programs(std::size_t columns);

/// Where a command that runs programs is named: each word `wrong/NAME` that is no file becomes the path of that
/// program, which is written into the cache. `check` and `explain` of one that comes out right by luck get a --schedule
/// under which it does not, where the words have none. Returns what these are. Throws UsageError for a name that there
/// is not.
std::vector<const WrongProgram*> put_wrong_programs(std::vector<std::string>& words);

}  // namespace lanework
