// Reads whole numbers along axes.
#include "src/cli/dims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <lanework/error.hpp>
#include <vector>

namespace lanework {
namespace {

constexpr std::int64_t kMost = INT32_MAX;

/// One to three numbers; none where the text is anything else.
std::vector<std::int64_t> numbers_in(std::string_view text) {
    std::vector<std::int64_t> numbers;
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const char* end = part.data() + part.size();
        std::int64_t number = 0;
        const bool read = std::from_chars(part.data(), end, number).ptr == end && !part.empty();
        if (numbers.size() == 3 || !read || number < 1 || number > kMost) return {};
        numbers.push_back(number);
        if (comma == rest.npos) return numbers;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace

std::array<std::int64_t, 3> parse_dims(std::string_view name, std::string_view text) {
    const std::vector<std::int64_t> numbers = numbers_in(text);
    if (numbers.empty())
        throw UsageError(fmt::format(
            "{} `{}` is not one to three whole numbers from 1 to {} joined by commas, such as 2,2", name, text, kMost));
    std::array<std::int64_t, 3> dims{1, 1, 1};
    std::copy(numbers.begin(), numbers.end(), dims.begin());
    return dims;
}

std::array<std::int64_t, 3> parse_edges(std::string_view name, std::string_view text) {
    const std::vector<std::int64_t> numbers = numbers_in(text);
    if (numbers.size() == 1) return {numbers[0], numbers[0], numbers[0]};
    if (numbers.size() == 3) return {numbers[0], numbers[1], numbers[2]};
    throw UsageError(fmt::format(
        "{} `{}` is not a whole number from 1 to {}, for all edges, or three joined by commas, such as 5 or 5,4,3",
        name, text, kMost));
}

}  // namespace lanework
