// Where the libraries that we compare with may be: the system's, and those that Python's packages bring.
#pragma once

#include <string>
#include <vector>

namespace lanework {

/// Names for the loader and paths of files that exist; LANEWORK_OPENBLAS alone where it is set.
std::vector<std::string> openblas_files();
/// The same for oneDNN, newest interface first; LANEWORK_ONEDNN alone where it is set.
std::vector<std::string> onednn_files();

}  // namespace lanework
