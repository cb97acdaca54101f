// __CUDA_ARCH__: nvcc compiles a file once for the host, where it is not defined, and once for each GPU. Here a file is
// compiled once, and each function sees what it would see there.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// For whom a function is compiled.
struct Execution {
    bool host = false, device = false;
    bool device_alone() const { return device && !host; }
    bool both() const { return device && host; }
};

/// What all files of a program have to know of each other to tell device code from the host's.
class DeviceCode {
public:
    /// Macros that stand for __host__ and __device__.
    void add_macros(const TokenizedFile& file);
    /// What the code of the host uses; behind all files' macros.
    void add_uses(const TokenizedFile& file, const Brackets& brackets);

    /// The braces of the function around a token that says for whom it is, kNone outside; and for whom.
    struct Function {
        std::size_t brace = kNone;
        Execution execution;
    };
    Function around(const Stream& stream, const Brackets& brackets, std::size_t token) const;
    /// For whom the function is whose body opens at a brace, by the words before it.
    Execution execution(const Stream& stream, const Brackets& brackets, std::size_t brace) const;
    /// Those that one word says.
    Execution said_by(std::string_view word) const;
    bool used_by_host(std::string_view word) const { return used_by_host_.contains(word); }

private:
    std::map<std::string, Execution, std::less<>> macros_;
    std::set<std::string, std::less<>> used_by_host_;
};

/// Gives device code the value of __CUDA_ARCH__, in its conditions as in its text.
/// - In a function of the device alone: everywhere.
/// - In one for host and device: its body stands twice, and what runs decides as it is called.
/// - Outside functions: in groups that hold functions or variables of the device alone, and in groups of macros that no
///   code of the host uses.
void rewrite_architecture(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device, Edits& edits);

}  // namespace lanework::cudafe
