// Reads lengths along axes.
#include "src/cli/dims.hpp"

#include <fmt/format.h>

#include <charconv>
#include <lanework/error.hpp>

namespace lanework {

std::array<std::int64_t, 3> parse_dims(std::string_view name, std::string_view text) {
    std::array<std::int64_t, 3> dims{1, 1, 1};
    std::string_view rest = text;
    for (std::size_t axis = 0;; ++axis) {
        const auto comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const char* end = part.data() + part.size();
        std::int64_t length = 0;
        const bool read = std::from_chars(part.data(), end, length).ptr == end && !part.empty();
        if (axis == dims.size() || !read || length < 1 || length > INT32_MAX)
            throw UsageError(
                fmt::format("{} `{}` is not one to three lengths above 0 joined by commas, such as 2,2", name, text));
        dims[axis] = length;
        if (comma == rest.npos) return dims;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace lanework
