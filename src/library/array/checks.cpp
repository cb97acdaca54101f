// Lengths, addresses, pitches and overlaps of views.
#include "src/library/array/checks.hpp"

namespace lanework::array {
namespace {

/// Of what kernels read and write in the workspace.
constexpr std::uintptr_t kWorkspaceAlignment = 64;

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void require_address(std::string_view function, std::string_view name, const void* data, std::int64_t element) {
    if (!data) throw UsageError(fmt::format("{}: {} has no address", function, name));
    if (address_of(data) % static_cast<std::uintptr_t>(element) != 0)
        throw UsageError(fmt::format("{}: {} does not begin at a multiple of {} bytes", function, name, element));
}

/// Whether rows of equal pitch lie in each other's gaps: `later` begins after `earlier` and ends before its next row.
bool in_gaps(const Extent& earlier, const Extent& later) {
    if (earlier.pitch != later.pitch) return false;
    const auto apart = static_cast<std::int64_t>((address_of(later.begin) - address_of(earlier.begin)) %
                                                 static_cast<std::uintptr_t>(earlier.pitch));
    return apart >= earlier.length && apart + later.length <= earlier.pitch;
}

bool overlap(const Extent& a, const Extent& b) {
    if (a.empty() || b.empty()) return false;
    const std::uintptr_t a_begin = address_of(a.begin), b_begin = address_of(b.begin);
    const std::uintptr_t a_end = a_begin + static_cast<std::uintptr_t>(a.bytes()),
                         b_end = b_begin + static_cast<std::uintptr_t>(b.bytes());
    if (a_end <= b_begin || b_end <= a_begin) return false;
    return !(a_begin < b_begin ? in_gaps(a, b) : in_gaps(b, a));
}

}  // namespace

Extent checked_array(std::string_view function, std::string_view name, const void* data, std::int64_t count,
                     std::int64_t element) {
    if (count < 0) throw UsageError(fmt::format("{}: {}.count is {}; 0 or more is right", function, name, count));
    if (count > kMostBytes / element)
        throw UsageError(fmt::format("{}: {} has {} elements, more than any memory holds", function, name, count));
    if (count > 0) require_address(function, name, data, element);
    return {name, data, 1, count * element, count * element};
}

void require_shape(std::string_view function, std::string_view name, std::int64_t rows, std::int64_t cols,
                   std::int64_t element) {
    if (rows < 0 || cols < 0)
        throw UsageError(
            fmt::format("{}: {} has {} rows and {} columns; 0 or more are right", function, name, rows, cols));
    if (rows > kMostBytes || cols > kMostBytes / element || (cols > 0 && rows > kMostBytes / element / cols))
        throw UsageError(
            fmt::format("{}: {} has {}×{} elements, more than any memory holds", function, name, rows, cols));
}

Extent checked_matrix(std::string_view function, std::string_view name, const void* data, std::int64_t rows,
                      std::int64_t cols, std::int64_t pitch, std::int64_t element) {
    require_shape(function, name, rows, cols, element);
    const std::int64_t length = cols * element;
    if (rows == 0 || cols == 0) return {name, data, rows, length, length};
    require_address(function, name, data, element);
    if (pitch < length)
        throw UsageError(fmt::format("{}: {}.pitch is {} bytes, and a row has {}", function, name, pitch, length));
    if (pitch % element != 0)
        throw UsageError(
            fmt::format("{}: {}.pitch is {} bytes, not a multiple of an element's {}", function, name, pitch, element));
    if (pitch > kMostBytes / rows)
        throw UsageError(fmt::format("{}: {}.pitch is {} bytes, and {} rows of them are more than any memory has",
                                     function, name, pitch, rows));
    return {name, data, rows, length, pitch};
}

void require_apart(std::string_view function, const Extent& out, const Extent& in) {
    if (overlap(out, in))
        throw UsageError(
            fmt::format("{}: {} overlaps {}; an output needs memory of its own", function, out.name, in.name));
}

void require_apart_or_same(std::string_view function, const Extent& out, const Extent& in) {
    const bool same = out.begin == in.begin && (out.rows < 2 || out.pitch == in.pitch);
    if (!same && overlap(out, in))
        throw UsageError(fmt::format("{}: {} overlaps {} and {}", function, out.name, in.name,
                                     out.begin == in.begin ? "has another pitch" : "does not begin where it does"));
}

void require_equal(std::string_view function, std::string_view first, std::int64_t of_first, std::string_view second,
                   std::int64_t of_second, std::string_view what) {
    if (of_first != of_second)
        throw UsageError(fmt::format("{}: {} has {} {} and {} {}; they must be equal", function, first, of_first, what,
                                     second, of_second));
}

void require_workspace(std::string_view function, const Workspace& workspace, std::size_t needed) {
    if (workspace.bytes < needed)
        throw UsageError(fmt::format("{}: the workspace has {} bytes and needs {}", function, workspace.bytes, needed));
    if (needed == 0) return;
    if (!workspace.data) throw UsageError(fmt::format("{}: the workspace has no address", function));
    if (address_of(workspace.data) % kWorkspaceAlignment != 0)
        throw UsageError(
            fmt::format("{}: the workspace does not begin at a multiple of {} bytes", function, kWorkspaceAlignment));
}

}  // namespace lanework::array
