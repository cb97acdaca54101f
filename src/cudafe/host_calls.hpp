// Calls of host functions in device code, launches of them, and calls of kernels: nvcc refuses them, and a host
// compiler, which sees functions alone, does not.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "src/cudafe/architecture.hpp"

namespace lanework::cudafe {

/// Refuses calls and launches that are none beyond doubt, and kernels that return a value. The text is not preprocessed
/// and names are not resolved, so that every doubt is the call's: another function, class, macro or variable of the
/// name, a template that may never be made, a condition of the preprocessor, an operand that is not evaluated.
class HostCalls {
public:
    /// `relaxed`: device code may call constexpr functions of the host (--expt-relaxed-constexpr).
    explicit HostCalls(bool relaxed) : relaxed_(relaxed) {}

    /// Adds a file's functions and other names; behind the macros of all files. Throws MalformedError for a kernel that
    /// returns a value.
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
        /// A kernel; and anything else of the name.
        bool kernel = false, beside_kernel = false;
    };
    class Reader;
    bool calls_kernel(const Reader& reader, std::size_t i) const;
    bool launches_host_function(const Reader& reader, std::size_t i) const;

    bool relaxed_;
    std::map<std::string, Known, std::less<>> known_;
    std::set<std::string, std::less<>> macros_, kernels_in_use_;
};

}  // namespace lanework::cudafe
