// Walking the stack, and leaving out what is our own.
#include "src/trace/record/host_calls.hpp"

#include <fmt/format.h>
#include <unwind.h>

#include <filesystem>
#include <lanework_simt/error.hpp>

#include "src/trace/record/source_lines.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMostCalls = 32;

bool is_own_code(const std::string& file) {
    for (const char* const own : {"src/simt/", "src/timeline/", "src/trace/", "src/program/"})
        if (file.starts_with(own)) return true;
    return is_plumbing(file);
}

}  // namespace

HostCalls host_callers() {
    HostCalls calls;
    if (lanework_simt::in_kernel()) return calls;  // its stack ends in nobody's frame
    calls.reserve(kMostCalls);
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* list) {
            auto& all = *static_cast<HostCalls*>(list);
            all.push_back(_Unwind_GetIP(frame));
            return all.size() < kMostCalls ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &calls);
    return calls;
}

SourcePlace program_line(const HostCalls& calls, const PlaceOf& place_of) {
    for (const std::uint64_t call : calls) {
        SourcePlace place = place_of(call);
        if (place.line != 0 && !is_own_code(place.file)) return place;
    }
    return {};
}

std::string line_text(const SourcePlace& place, const SourcePlace& from) {
    if (place.line == 0) return "an unknown line";
    if (place.file == from.file) return fmt::format("line {}", place.line);
    return fmt::format("line {} of {}", place.line, std::filesystem::path(place.file).filename().string());
}

}  // namespace lanework
