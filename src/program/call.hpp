// `--call`: a kernel or a function without a program, called from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lanework {

/// A program that is the file and, in place of its main where it has one, these statements of C++. Arrays that they
/// name by what they hold (src/program/call.cuh) are made, and printed behind them. Messages about the statements name
/// "--call". Throws UnavailableError where Lanework's own sources are not here.
std::string program_that_calls(const std::filesystem::path& file, std::string_view statements);

/// Where such programs lie in the cache.
inline constexpr const char* kCalls = "calls";

/// A compiler's message with the statements' place in place of theirs in such a program: "--call:1:30: error: …".
std::string naming_statements(std::string message);

/// A launch of the file's first kernel that is worth trying, as a value of --call: "scale<<<4, 256>>>(random(1024),
/// 1024)". Empty where the file has no kernel, or one that no numbers and arrays can be handed to.
std::string example_call(const std::filesystem::path& file);

}  // namespace lanework
