// A copy of the standard output's descriptor is ours; the descriptor itself leads elsewhere.
#include "src/core/printed.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace lanework {
namespace {

std::FILE* apart = nullptr;

}  // namespace

std::FILE* results_output() { return apart ? apart : stdout; }

void keep_results_apart() {
    if (apart) return;
    std::fflush(stdout);
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy < 0) return;  // closed: nothing is read there
    apart = fdopen(copy, "w");
    if (apart && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return;
    if (apart) std::fclose(apart);
    apart = nullptr;
}

}  // namespace lanework
