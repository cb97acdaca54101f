// Says what an interrupted command finished.
#include "src/cli/finished.hpp"

#include <fmt/format.h>

namespace lanework {

std::string count_finished(std::size_t finished, std::size_t all) { return fmt::format("{} of {}", finished, all); }

std::string describe_kept(std::size_t finished, std::size_t all, const Exports& exports) {
    if (finished == 0) return "lanework: interrupted before anything was finished";
    const std::string files = exports.files();
    return fmt::format("lanework: interrupted, {} finished{}", count_finished(finished, all),
                       files.empty() ? "" : "; what was finished is in " + files);
}

}  // namespace lanework
