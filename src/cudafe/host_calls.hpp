// Calls of host functions in device code: nvcc refuses them, and a host compiler, which sees functions alone, does not.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "src/cudafe/architecture.hpp"

namespace lanework::cudafe {

/// Refuses calls that are the host's beyond doubt. The text is not preprocessed and names are not resolved, so that
/// every doubt is the call's: another function, class, macro or variable of the name, a template that may never be
/// made, a condition of the preprocessor, an operand that is not evaluated.
class HostCalls {
public:
    /// `relaxed`: device code may call constexpr functions of the host (--expt-relaxed-constexpr).
    explicit HostCalls(bool relaxed) : relaxed_(relaxed) {}

    /// Adds a file's functions and other names; behind the macros of all files.
    void add(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device);
    /// A macro of the command line, NAME or NAME=TEXT.
    void define(std::string_view macro);
    /// Throws MalformedError at the first such call. `has_other` says whether CUDA has a function of a name.
    void check(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device,
               const std::function<bool(std::string_view)>& has_other) const;

private:
    /// Which functions of a name there are, as far as the text shows.
    struct Known {
        bool host = false, constant = false, other = false;
    };
    class Reader;

    bool relaxed_;
    std::map<std::string, Known, std::less<>> known_;
    std::set<std::string, std::less<>> macros_, kernels_in_use_;
};

}  // namespace lanework::cudafe
