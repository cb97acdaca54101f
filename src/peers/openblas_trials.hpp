// Finding the newest OpenBLAS and, by trying, its fastest kernels.
#pragma once

#include <string>
#include <vector>

namespace lanework {

struct OpenBlasChoice {
    std::string path;   ///< empty when there is none
    std::string core;   ///< for OPENBLAS_CORETYPE; empty: the library's own choice
    std::string tried;  ///< "Haswell, SkylakeX"; empty when nothing was
};

struct OpenBlasTrial {
    std::string asked;  ///< the type of core
    std::string core;   ///< what the library made of it
    std::string version;
    double flops_per_second = 0;  ///< of one thread
    bool late = false;            ///< it was not heard of, and had hardly used the processor: it tells nothing
};

/// Loads the library in a process of its own and multiplies for a moment. Without a version where that ends badly:
/// kernels that the processor cannot run do.
OpenBlasTrial try_openblas(const std::string& path, const std::string& core, bool timed);

/// The fastest; the first of those that are as good as that.
const OpenBlasTrial& best_of(const std::vector<OpenBlasTrial>& trials);

/// Whether they would come to the same another time: none of them was late.
bool tell_for_good(const std::vector<OpenBlasTrial>& trials);

/// Whether the first of two versions, "OpenBLAS 0.3.9", is the older one.
bool is_older(const std::string& version, const std::string& other);

/// LANEWORK_OPENBLAS, or the newest of the system's and those of Python's packages, with the fastest kernels. Trials
/// take about a second; what they came to is remembered in the user's cache folder.
OpenBlasChoice choose_openblas();

}  // namespace lanework
