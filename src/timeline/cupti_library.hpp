// CUPTI, NVIDIA's library that records what a GPU does, looked for when the program runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lanework {

/// Where libcupti.so.<major> may be, in the order in which it is looked for: what LANEWORK_CUPTI names, the loader's
/// own paths, the toolkit, Python's packages. `variable` gives an environment variable, or null; existing files are
/// found below `root`.
std::vector<std::string> cupti_candidates(int major, const std::function<const char*(const char*)>& variable,
                                          const std::string& root = "/");

/// What a failure of CUPTI means to a user: which function, why, and what helps, in one line. `code` is a CUptiResult,
/// `name` its name ("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES").
std::string cupti_failure(const std::string& function, int code, const std::string& name);

/// "13.0.1" of 130001, as cuptiGetVersion has it; older libraries count from 1.
std::string cupti_version(unsigned number);
/// Of what was found to be another version than this build can read, in one line; empty when it can. Both as
/// cuptiGetVersion gives them: 130001.
std::string cupti_version_refusal(unsigned found, unsigned built_with);

}  // namespace lanework
