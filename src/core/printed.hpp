// What this program prints, kept apart from what code of others prints that runs in it.
#pragma once

#include <cstdio>

namespace lanework {

/// Where results go: the standard output.
std::FILE* results_output();

/// From now on what others print to the standard output goes to the standard error: only results stand where they are
/// read.
void keep_results_apart();

}  // namespace lanework
