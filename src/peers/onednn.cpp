// oneDNN by dlopen: two functions of its C interface, the same in versions 2 and 3, on OpenMP's threads or oneTBB's.
#include "src/peers/onednn.hpp"

#include <fmt/format.h>

#include "src/core/shared_library.hpp"
#include "src/peers/peer_files.hpp"

namespace lanework {
namespace {

struct Version {  // as dnnl_version() returns it
    int major, minor, patch;
};

/// oneTBB's `global_control` (oneapi/tbb/global_control.h), whose first parameter is how many threads there may be.
struct TbbControl {
    std::size_t value;
    std::intptr_t reserved = 0;
    int parameter = 0;
};

struct OneDnn {
    using Sgemm = int (*)(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                          float alpha, const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta,
                          float* c, std::int64_t ldc);
    /// What is added to A, B and C is a number: `offset_c` = 'F'.
    using Bgemm = int (*)(char transpose_a, char transpose_b, char offset_c, std::int64_t m, std::int64_t n,
                          std::int64_t k, float alpha, const std::int8_t* a, std::int64_t lda, std::int8_t a_offset,
                          const std::int8_t* b, std::int64_t ldb, std::int8_t b_offset, float beta, std::int32_t* c,
                          std::int64_t ldc, const std::int32_t* c_offset);
    OneDnnInfo info;
    Sgemm sgemm = nullptr;
    Bgemm bgemm = nullptr;
    // Of the OpenMP that it runs on, which need not be ours.
    void (*set_num_threads)(int) = nullptr;
    int (*get_max_threads)() = nullptr;
    // Of the oneTBB that it runs on.
    void (*create_control)(TbbControl&) = nullptr;
    void (*destroy_control)(TbbControl&) = nullptr;

    OneDnn() {
        const std::vector<std::string> files = onednn_files();
        std::vector<const char*> names;
        for (const std::string& file : files) names.push_back(file.c_str());
        // Never closed: its threads run until the program ends.
        static const SharedLibrary& library = *new SharedLibrary(names);
        sgemm = library.function<Sgemm>("dnnl_sgemm");
        bgemm = library.function<Bgemm>("dnnl_gemm_s8s8s32");
        set_num_threads = library.function<void (*)(int)>("omp_set_num_threads");
        get_max_threads = library.function<int (*)()>("omp_get_max_threads");
        create_control = library.function<void (*)(TbbControl&)>("_ZN3tbb6detail2r16createERNS0_2d114global_controlE");
        destroy_control =
            library.function<void (*)(TbbControl&)>("_ZN3tbb6detail2r17destroyERNS0_2d114global_controlE");
        const auto version = library.function<const Version* (*)()>("dnnl_version");
        const bool openmp = set_num_threads && get_max_threads, tbb = create_control && destroy_control;
        if (!library)
            info.reason = "oneDNN was not found: install libdnnl2 or libdnnl3, or name a library in LANEWORK_ONEDNN";
        else if (!sgemm || !bgemm || !version)
            info.reason = "the oneDNN that was found has no dnnl_sgemm or no dnnl_gemm_s8s8s32";
        else if (!openmp && !tbb)
            info.reason =
                "the oneDNN that was found runs neither on OpenMP nor on oneTBB: its threads cannot be counted";
        else
            info.about = fmt::format("oneDNN {}.{}.{}, {}", version()->major, version()->minor, version()->patch,
                                     openmp ? "OpenMP" : "oneTBB");
    }

    /// Calls the function while there are that many threads.
    template <class Gemm>
    void with_threads(int threads, const Gemm& gemm) const {
        if (set_num_threads && get_max_threads) {
            const int before = get_max_threads();
            set_num_threads(threads);
            gemm();
            set_num_threads(before);
        } else {
            TbbControl control{static_cast<std::size_t>(threads)};
            create_control(control);
            gemm();
            destroy_control(control);
        }
    }
};

const OneDnn& onednn() {
    static const OneDnn instance;
    return instance;
}

}  // namespace

const OneDnnInfo& onednn_info() { return onednn().info; }

void onednn_gemm(const float* a, const float* b, bool b_by_columns, float* c, std::int64_t m, std::int64_t n,
                 std::int64_t k, int threads) {
    const OneDnn& dnn = onednn();
    dnn.with_threads(threads, [&] {
        dnn.sgemm('N', b_by_columns ? 'T' : 'N', m, k, n, 1.0F, a, n, b, b_by_columns ? n : k, 0.0F, c, k);
    });
}

void onednn_gemm(const std::int8_t* a, const std::int8_t* b, bool b_by_columns, std::int32_t* c, std::int64_t m,
                 std::int64_t n, std::int64_t k, int threads) {
    const OneDnn& dnn = onednn();
    constexpr std::int32_t kNothing = 0;
    dnn.with_threads(threads, [&] {
        dnn.bgemm('N', b_by_columns ? 'T' : 'N', 'F', m, k, n, 1.0F, a, n, 0, b, b_by_columns ? n : k, 0, 0.0F, c, k,
                  &kNothing);
    });
}

}  // namespace lanework
