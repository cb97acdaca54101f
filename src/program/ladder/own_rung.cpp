// Compiles a rung's file behind a generated launcher, and makes a Rung of the library.
#include "src/program/ladder/own_rung.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <limits>
#include <stdexcept>

#include "src/core/compilation_error.hpp"
#include "src/program/child_process.hpp"
#include "src/program/digest.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCopy = "lanework_copy";
constexpr const char* kErrorText = "lanework_error_text";
constexpr const char* kLaunchers = "launchers";

/// What a launcher's file holds besides: an array that is changed in place begins as a copy.
constexpr const char* kCopySource =
    "extern \"C\" int lanework_copy(void* to, const void* from, unsigned long long bytes, void* stream) {\n"
    "    return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)stream);\n"
    "}\n"
    "extern \"C\" const char* lanework_error_text(int error) { return cudaGetErrorString((cudaError_t)error); }\n";
/// Libraries of nvcc's, by the content of what they are made of.
constexpr const char* kCudaLibraries = "cuda-rungs";

/// Named from the folder that we are in where it is below it: as compilers and people name it.
std::string shown(const fs::path& file) {
    std::error_code error;
    const fs::path near = fs::relative(file, fs::current_path(error), error);
    return error || near.empty() || near.string().starts_with("..") ? file.string() : near.string();
}

unsigned length(const Expression& expression, const NamedValues& values, const char* what) {
    const std::int64_t whole = expression.whole(values);
    if (whole > std::numeric_limits<int>::max())
        throw UsageError(fmt::format("{} `{}` is {}: more than a launch can have", what, expression.text(), whole));
    return static_cast<unsigned>(whole);
}

}  // namespace

OwnRung& OwnRung::make(const OwnOperation& operation, const RungSource& source, DeviceKind device) {
    // Constant data points into it: it is never destroyed.
    return *new OwnRung(operation, source, device);
}

OwnRung::OwnRung(const OwnOperation& operation, const RungSource& source, DeviceKind device)
    : operation_(operation),
      file_(read_kernel_file(fs::absolute(source.file).lexically_normal())),
      bound_(bind_by_name(file_, operation.description(), source.kernel, source.launch)),
      name_(file_.path.stem().string()),
      climbs_from_(file_.state("climbs from")),
      shown_file_(shown(file_.path)) {
    for (const DType dtype : bound_.types)
        types_.push_back(
            {.dtype = dtype,
             .supported = [](const void*) { return true; },
             .launch = [](const void* own, const Problem& problem, const Buffers& buffers,
                          void* stream) { static_cast<const OwnRung*>(own)->launch(problem, buffers, stream); },
             .workspace = [](const void* own, const Problem& problem,
                             const Buffers&) { return static_cast<const OwnRung*>(own)->workspace(problem); },
             .prepare = [](const void*, const Problem&, const Buffers&, void*) { return PreparedOwner(); },
             .launch_args = [](const void*, const void*,
                               void*) { throw std::logic_error("a rung of one's own has no argument struct"); },
             .fits = [](const void*, const Problem&, const Buffers&) { return true; },
             .fits_args = [](const void*, const void*) { return true; }});
    rung_ = {.operation = operation.operation().name,
             .name = name_,
             .device = device,
             .library = false,
             .climbs_from = climbs_from_,
             .lesson = file_.lesson,
             .file = shown_file_,
             .refuses = nullptr,
             .about = nullptr,
             .types = types_,
             .entry = this};
}

fs::path OwnRung::build(const Build& build, ProgramCache& cache, const std::string& architecture) const {
    const std::string source = launcher_source(file_, bound_, operation_.description(), rung_.device) + kCopySource;
    // Its place names the rung alone, so that an unchanged one is found again.
    const std::string key = Digest().add(file_.path.string()).add(source).text();
    const fs::path launcher = cache.place(kLaunchers, key, file_.path.filename().string());
    cache.write(launcher, source);
    if (rung_.device == DeviceKind::cuda) return build_with_nvcc(launcher, build, cache, architecture);
    Build whole = build;
    whole.instrumentation = Instrumentation::complete;
    whole.for_this_process = true;
    BuildRequest request;
    request.inputs = {launcher.string()};
    request.languages = {"cu"};
    request.compile = {"-fPIC"};
    // What two rungs call alike, a template's static variable say, is each rung's own.
    if (build.toolchain.family == CompilerFamily::gnu) request.compile.emplace_back("-fno-gnu-unique");
    request.shared = true;
    return build_program(whole, cache, request);
}

fs::path OwnRung::build_with_nvcc(const fs::path& launcher, const Build& build, ProgramCache& cache,
                                  const std::string& architecture) const {
    const fs::path nvcc = find_program("nvcc");
    if (nvcc.empty())
        throw UnavailableError(
            fmt::format("{} is built for cuda with nvcc, and there is none on the path", shown_file_));
    Digest content;
    content.add(file_identity(nvcc)).add(architecture).add(launcher.string());
    for (const fs::path& each : files_of(file_.path)) content.add(each.string()).add(text_of(each));
    const std::string name = name_ + ".so", key = content.text();
    if (const fs::path known = cache.find(kCudaLibraries, key, name); !known.empty()) return known;
    const fs::path library = cache.temporary() / name, said = cache.temporary() / "nvcc.txt";
    const int status = run_program(
        {.command = {nvcc.string(), "-shared", "-O3", "-lineinfo", "-Xcompiler", "-fPIC", "-arch=" + architecture, "-I",
                     file_.path.parent_path().string(), launcher.string(), "-o", library.string()},
         .output = said,
         .errors = said});
    if (build.tell) build.tell(text_of(said));
    if (status != 0) throw CompilationError(fmt::format("nvcc does not compile {}", shown_file_));
    return cache.keep(library, kCudaLibraries, key, name);
}

void OwnRung::load(const fs::path& library) {
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw UnavailableError(fmt::format("{} cannot be loaded: {}", shown_file_, dlerror()));
    for (const DType dtype : bound_.types)
        launchers_.push_back(reinterpret_cast<Launcher>(dlsym(handle, launcher_name(dtype).c_str())));
    copy_in_place_ = reinterpret_cast<decltype(copy_in_place_)>(dlsym(handle, kCopy));
    error_text_ = reinterpret_cast<decltype(error_text_)>(dlsym(handle, kErrorText));
    if (!copy_in_place_ || !error_text_ || std::ranges::find(launchers_, nullptr) != launchers_.end())
        throw UnavailableError(fmt::format("{} was built without its launcher", shown_file_));
}

std::size_t OwnRung::workspace(const Problem& problem) const {
    return bound_.workspace
               ? static_cast<std::size_t>(bound_.workspace->whole(operation_.description().values(problem)))
               : 0;
}

void OwnRung::check(int error) const {
    if (error != 0) throw DeviceError(fmt::format("{}: {} (error {})", shown_file_, error_text_(error), error));
}

void OwnRung::launch(const Problem& problem, const Buffers& buffers, void* stream) const {
    const Description& description = operation_.description();
    const NamedValues known = description.values(problem);
    std::vector<double> values;
    for (const std::string& name : value_names(description)) values.push_back(known.find(name)->second);

    std::vector<void*> arrays(description.arrays.size() + 1);
    arrays.back() = buffers.workspace;
    const std::vector<OwnBuffer>& all = operation_.buffers();
    for (std::size_t i = 0; i < all.size(); ++i) {
        void*& place = arrays[static_cast<std::size_t>(all[i].array - description.arrays.data())];
        // What an array that is changed in place holds before comes ahead of what it holds behind.
        const void* const before = place;
        place = buffers.data[i];
        if (all[i].role == Role::output && before)
            check(copy_in_place_(
                place, before,
                description.count(*all[i].array, problem) * size_of(description.dtype_of(*all[i].array, problem.dtype)),
                stream));
    }
    unsigned shape[6] = {1, 1, 1, 1, 1, 1};
    for (std::size_t axis = 0; axis < bound_.grid.size(); ++axis)
        shape[axis] = length(bound_.grid[axis], known, "grid");
    for (std::size_t axis = 0; axis < bound_.block.size(); ++axis)
        shape[3 + axis] = length(bound_.block[axis], known, "block");
    if (std::find(shape, shape + 3, 0u) != shape + 3) return;  // nothing to compute
    const auto shared = bound_.shared ? static_cast<unsigned long long>(bound_.shared->whole(known)) : 0;
    const auto type = std::ranges::find(bound_.types, problem.dtype) - bound_.types.begin();
    check(launchers_[static_cast<std::size_t>(type)](arrays.data(), values.data(), shape, shared, stream));
}

}  // namespace lanework
