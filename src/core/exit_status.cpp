// The meanings of exit statuses, and which error has which.
#include "src/core/exit_status.hpp"

#include <filesystem>
#include <lanework/memory_error.hpp>
#include <new>

#include "src/core/compilation_error.hpp"

namespace lanework {
namespace {

constexpr ExitMeaning kMeanings[] = {
    {exit_status::good, "good"},
    {exit_status::wrong, "a wrong result, a finding that is an error, a regression or a difference; nothing else"},
    {exit_status::usage, "usage: a word, an option or a number that cannot be meant"},
    {exit_status::compilation, "a kernel or a program does not compile"},
    {exit_status::device, "a CUDA error"},
    {exit_status::time_out,
     "it took longer than it may (judge), or its time was over before all was checked (check --seconds)"},
    {exit_status::file, "a file cannot be read or written, or is not what it should be"},
    {exit_status::memory, "too little memory"},
    {exit_status::internal, "a fault of lanework itself"},
    {exit_status::unavailable, "nothing here can run it"},
    {exit_status::interrupted, "ended by Ctrl-C (128 + the signal's number, as shells say it)"},
};

template <class... Types>
bool is_any(const std::exception& error) {
    return (... || (dynamic_cast<const Types*>(&error) != nullptr));
}

}  // namespace

std::span<const ExitMeaning> exit_meanings() { return kMeanings; }

int exit_status_of(const std::exception& error) {
    if (is_any<UsageError>(error)) return exit_status::usage;
    if (is_any<FileError, std::filesystem::filesystem_error>(error)) return exit_status::file;
    if (is_any<MemoryError, std::bad_alloc, std::length_error>(error)) return exit_status::memory;
    if (is_any<DeviceError>(error)) return exit_status::device;
    if (is_any<CompilationError>(error)) return exit_status::compilation;
    if (is_any<UnavailableError>(error)) return exit_status::unavailable;
    return exit_status::internal;
}

}  // namespace lanework
