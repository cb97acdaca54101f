// oneDNN by dlopen: one function of its C interface, the same in versions 2 and 3.
#include "src/peers/onednn.hpp"

#include <fmt/format.h>

#include "src/core/shared_library.hpp"
#include "src/peers/peer_files.hpp"

namespace lanework {
namespace {

struct Version {  // as dnnl_version() returns it
    int major, minor, patch;
};

struct OneDnn {
    using Sgemm = int (*)(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                          float alpha, const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta,
                          float* c, std::int64_t ldc);
    OneDnnInfo info;
    Sgemm sgemm = nullptr;
    // Of the OpenMP that it runs on, which need not be ours.
    void (*set_num_threads)(int) = nullptr;
    int (*get_max_threads)() = nullptr;

    OneDnn() {
        const std::vector<std::string> files = onednn_files();
        std::vector<const char*> names;
        for (const std::string& file : files) names.push_back(file.c_str());
        // Never closed: its threads run until the program ends.
        static const SharedLibrary& library = *new SharedLibrary(names);
        sgemm = library.function<Sgemm>("dnnl_sgemm");
        set_num_threads = library.function<void (*)(int)>("omp_set_num_threads");
        get_max_threads = library.function<int (*)()>("omp_get_max_threads");
        const auto version = library.function<const Version* (*)()>("dnnl_version");
        if (!library)
            info.reason = "oneDNN was not found: install libdnnl2 or libdnnl3, or name a library in LANEWORK_ONEDNN";
        else if (!sgemm || !version)
            info.reason = "the oneDNN that was found has no dnnl_sgemm";
        else if (!set_num_threads || !get_max_threads)
            info.reason = "the oneDNN that was found does not run on OpenMP: its threads cannot be counted";
        else
            info.about = fmt::format("oneDNN {}.{}.{}", version()->major, version()->minor, version()->patch);
    }
};

const OneDnn& onednn() {
    static const OneDnn instance;
    return instance;
}

}  // namespace

const OneDnnInfo& onednn_info() { return onednn().info; }

void onednn_sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  int threads) {
    const OneDnn& dnn = onednn();
    const int before = dnn.get_max_threads();
    dnn.set_num_threads(threads);
    dnn.sgemm('N', 'N', m, k, n, 1.0F, a, n, b, k, 0.0F, c, k);
    dnn.set_num_threads(before);
}

}  // namespace lanework
