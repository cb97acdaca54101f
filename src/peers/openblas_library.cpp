// OpenBLAS by dlopen. It chooses its kernels while it is loaded: what OPENBLAS_CORETYPE says must be there before, and
// a copy that something else loaded has chosen already.
#include "src/peers/openblas_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace lanework {
namespace {

constexpr const char* kCoreType = "OPENBLAS_CORETYPE";

/// Sets the type of core for as long as it lives; an empty one leaves the environment as it is.
class CoreType {
public:
    explicit CoreType(const std::string& core) : set_(!core.empty()) {
        if (!set_) return;
        if (const char* before = std::getenv(kCoreType)) before_ = before;
        setenv(kCoreType, core.c_str(), 1);
    }
    CoreType(const CoreType&) = delete;
    CoreType& operator=(const CoreType&) = delete;
    ~CoreType() {
        if (set_) before_.empty() ? unsetenv(kCoreType) : setenv(kCoreType, before_.c_str(), 1);
    }

private:
    bool set_;
    std::string before_;
};

/// A file of the program's own with the same contents, which the loader takes for another library.
int copy_of(const char* path) {
    const int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("openblas", MFD_CLOEXEC);
    struct stat about {};
    off_t offset = 0;
    bool whole = from >= 0 && to >= 0 && fstat(from, &about) == 0;
    while (whole && offset < about.st_size)
        whole = sendfile(to, from, &offset, static_cast<std::size_t>(about.st_size - offset)) > 0;
    if (from >= 0) close(from);
    if (whole) return to;
    if (to >= 0) close(to);
    return -1;
}

/// OpenCV and others bring an OpenBLAS along. Its functions would be found instead of those of another that is loaded
/// later, unless that one looks at itself first.
void* open_beside_another(void* function_of_the_other) {
    Dl_info other{};
    if (!dladdr(function_of_the_other, &other) || !other.dli_fname) return nullptr;
    const int copy = copy_of(other.dli_fname);
    if (copy < 0) return nullptr;
    void* const handle = dlopen(fmt::format("/proc/self/fd/{}", copy).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    close(copy);
    return handle;
}

void* open_library(const std::string& path) {
    void* const other = dlsym(RTLD_DEFAULT, "openblas_get_config");
    const bool a_path = path.find('/') != path.npos;
    if (other && !a_path)
        if (void* const handle = open_beside_another(other)) return handle;
    return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | (other ? RTLD_DEEPBIND : 0));
}

}  // namespace

OpenBlasLibrary::OpenBlasLibrary(const std::string& path, const std::string& core) {
    const CoreType asked(core);
    if (void* const handle = open_library(path)) {
        find_functions(handle);
        if (!sgemm_ || !set_num_threads_) reason_ = path + " has no cblas_sgemm or openblas_set_num_threads";
    } else {
        const char* const error = dlerror();
        reason_ = error ? error : path + " cannot be opened";
    }
}

void OpenBlasLibrary::find_functions(void* handle) {
    for (const char* prefix : {"", "scipy_"})
        for (const char* suffix : {"", "64_"}) {
            const auto find = [&](const char* name) {
                return dlsym(handle, fmt::format("{}{}{}", prefix, name, suffix).c_str());
            };
            const auto text = [&](const char* name) -> std::string {
                const auto describe = reinterpret_cast<const char* (*)()>(find(name));
                return describe ? describe() : "";
            };
            sgemm_ = find("cblas_sgemm");
            if (!sgemm_) continue;
            long_integers_ = *suffix != '\0';
            set_num_threads_ = reinterpret_cast<void (*)(int)>(find("openblas_set_num_threads"));
            core_ = text("openblas_get_corename");
            const std::string config = text("openblas_get_config");
            version_ = config.substr(0, config.find(' ', config.find(' ') + 1));
            return;
        }
}

void OpenBlasLibrary::sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                            int threads) const {
    constexpr int kRowMajor = 101, kNoTranspose = 111;
    set_num_threads_(threads);
    const auto call = [&]<class Int>(Int) {
        // CBLAS's interface.
        using Sgemm = void (*)(int order, int transpose_a, int transpose_b, Int m, Int n, Int k, float alpha,
                               const float* a, Int lda, const float* b, Int ldb, float beta, float* c, Int ldc);
        const auto rows = static_cast<Int>(m), inner = static_cast<Int>(n), cols = static_cast<Int>(k);
        reinterpret_cast<Sgemm>(sgemm_)(kRowMajor, kNoTranspose, kNoTranspose, rows, cols, inner, 1.0F, a, inner, b,
                                        cols, 0.0F, c, cols);
    };
    long_integers_ ? call(std::int64_t{}) : call(int{});
}

}  // namespace lanework
