// Compiled as the build compiles rungs: by the simt device's compiler, by nvcc, or for the processor that this is.
#include "src/program/ladder/rung_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <stdexcept>

#include "src/core/compilation_error.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/io/file.hpp"
#include "src/program/digest.hpp"
#include "src/program/ladder/nvcc_library.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRungLibraries = "rung-libraries";
/// A file's line that says what it is compiled for: "// architectures: 90a".
constexpr std::string_view kArchitectures = "// architectures: ";

/// What it is to the rest of the program.
class LoadedRung {
public:
    LoadedRung(const fs::path& library, const RungEntryName& name, RungPlace place, std::string_view renamed,
               std::string_view climbs_from)
        : name_(renamed.empty() ? name.name : renamed), climbs_from_(climbs_from), place_(std::move(place)) {
        const std::string& file = place_.shown;
        void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) refuse_library(file, dlerror());
        const std::string entry =
            fmt::format("lanework_rung_{}_{}_{}", lanework::name_of(name.device), name.operation, name.name);
        inner_ = static_cast<const Rung*>(dlsym(handle, entry.c_str()));
        if (!inner_)
            throw CompilationError(fmt::format("{} defines no rung LANEWORK_RUNG({}, {}, …), as its place says", file,
                                               name.operation, name.name));
        take_error_ = reinterpret_cast<decltype(take_error_)>(dlsym(handle, "lanework_take_error"));
        error_text_ = reinterpret_cast<decltype(error_text_)>(dlsym(handle, "lanework_error_text"));
        for (const Rung::Typed& typed : inner_->types)
            if (typed.supported(inner_->entry)) types_.push_back(forwarded(typed.dtype));
        rung_ = *inner_;
        rung_.name = name_;
        if (!renamed.empty()) {
            rung_.climbs_from = climbs_from_;
            rung_.lesson = {};  // which stands with the rung that it was made of
        }
        rung_.file = file;
        rung_.types = types_;
        rung_.entry = this;
    }

    const Rung& rung() const { return rung_; }
    const RungPlace& place() const { return place_; }

private:
    static const LoadedRung& self(const void* entry) { return *static_cast<const LoadedRung*>(entry); }
    const Rung::Typed& inner(const Problem& problem) const { return *inner_->typed(problem.dtype); }

    static Rung::Typed forwarded(DType dtype) {
        return {.dtype = dtype,
                .supported = [](const void*) { return true; },
                .launch = [](const void* own, const Problem& problem, const Buffers& buffers,
                             void* stream) { self(own).launch(problem, buffers, stream); },
                .workspace =
                    [](const void* own, const Problem& problem, const Buffers& buffers) {
                        return self(own).inner(problem).workspace(self(own).inner_->entry, problem, buffers);
                    },
                .prepare =
                    [](const void* own, const Problem& problem, const Buffers& buffers, void* stream) {
                        return self(own).inner(problem).prepare(self(own).inner_->entry, problem, buffers, stream);
                    },
                .launch_args =
                    [](const void*, const void*, void*) {
                        throw std::logic_error("a rung that was loaded is launched for problems alone");
                    },
                .fits =
                    [](const void* own, const Problem& problem, const Buffers& buffers) {
                        return self(own).inner(problem).fits(self(own).inner_->entry, problem, buffers);
                    },
                .fits_args = [](const void*, const void*) { return false; }};
    }

    // An error of a launch stays in the library's own runtime, where it has one.
    void launch(const Problem& problem, const Buffers& buffers, void* stream) const {
        inner(problem).launch(inner_->entry, problem, buffers, stream);
        if (const int error = take_error_ ? take_error_() : 0; error != 0)
            throw DeviceError(fmt::format("{}/{}: {} (error {})", rung_.operation, name_, error_text_(error), error));
    }

    std::string name_, climbs_from_;
    RungPlace place_;
    const Rung* inner_ = nullptr;
    int (*take_error_)() = nullptr;
    const char* (*error_text_)(int error) = nullptr;
    std::vector<Rung::Typed> types_;
    Rung rung_{};
};

/// Includes the rung's file, and gives what its launches left.
std::string library_source(const fs::path& file, DeviceKind device) {
    if (device == DeviceKind::cpu) return fmt::format("#include \"{}\"\n", file.string());
    return fmt::format(
        "#include \"{}\"\n"
        "extern \"C\" int lanework_take_error() {{ return (int)cudaGetLastError(); }}\n"
        "extern \"C\" const char* lanework_error_text(int error) {{ return cudaGetErrorString((cudaError_t)error); "
        "}}\n",
        file.string());
}

/// "90a" of "// architectures: 90a"; empty for a file that runs on every GPU.
std::string architecture_of(const fs::path& file) {
    const std::string text = text_of(file);
    const std::size_t at = text.find(kArchitectures);
    if (at == text.npos) return {};
    const std::size_t begin = at + kArchitectures.size();
    return text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

/// The operation's folder: rungs lie in it, or one below.
fs::path folder_of(const RungPlace& place) {
    const fs::path folder = place.file.parent_path();
    return fs::exists(folder / "operation.hpp") ? folder : folder.parent_path();
}

/// As ops/CMakeLists.txt compiles it: what images and detection compute is rounded one step at a time.
bool rounds_every_step(const fs::path& folder) {
    const std::string header = text_of(folder / "operation.hpp");
    return text_of(folder / "operation.cpp").find("\n#include \"src/pixels/") != std::string::npos ||
           header.find("\n#include \"src/pixels/") != std::string::npos ||
           header.find("\n#include <lanework/detection.hpp>") != std::string::npos;
}

std::vector<std::string> include_options(const RungPlace& place, const Build& build) {
    std::vector<std::string> options;
    for (const fs::path& each : place.includes) options.push_back("-I" + each.string());
    options.push_back("-I" + build.toolchain.public_headers.string());
    return options;
}

fs::path build_for_cuda(const RungPlace& place, const SourceTexts& texts, const Build& build, ProgramCache& cache,
                        const std::string& gpus) {
    const fs::path copies = texts.empty() ? fs::path() : copy_with_texts(place.file, place.root, texts, cache);
    const fs::path file = copies.empty() ? place.file : copies / place.root.name_of(place.file);
    const std::string source = library_source(file, DeviceKind::cuda);
    const fs::path library = cache.place(kRungLibraries, Digest().add(source).text(), file.filename().string());
    cache.write(library, source);
    NvccLibrary request{.source = library,
                        .name = place.file.stem().string(),
                        .shown = place.shown,
                        .read = copies.empty() ? sources_of(file, place.root) : sources_of(file, copies),
                        .options = {"-std=c++20", "-O3", "-DLANEWORK_DEVICE=cuda"},
                        .architecture = gpus};
    if (!copies.empty()) request.options.push_back("-I" + copies.string());
    for (std::string& option : include_options(place, build)) request.options.push_back(std::move(option));
    for (const char* option : {"-lineinfo", "--extended-lambda", "--expt-relaxed-constexpr"})
        request.options.emplace_back(option);
    // A library whose name has no ending, which nvcc would not know.
    if (!place.operation.empty()) request.options.insert(request.options.end(), {"-Xlinker", place.operation.string()});
    if (rounds_every_step(folder_of(place))) request.options.emplace_back("--fmad=false");
    if (const std::string architecture = architecture_of(place.file); !architecture.empty())
        request.architecture = "sm_" + architecture;
    return build_with_nvcc(request, build, cache);
}

}  // namespace

fs::path build_rung_library(const RungPlace& place, DeviceKind device, const SourceTexts& texts, const Build& build,
                            ProgramCache& cache, const std::string& architecture) {
    if (device == DeviceKind::cuda) return build_for_cuda(place, texts, build, cache, architecture);
    const bool host = device == DeviceKind::cpu;
    const std::string source = library_source(place.file, device);
    const fs::path library = cache.place(kRungLibraries, Digest().add(source).text(), place.file.filename().string());
    cache.write(library, source);
    Build whole = build;
    BuildRequest request;
    // The program holds the rung as it stands, whose functions of the same names this library must not call.
    request.inputs = {library.string(), "-Wl,-Bsymbolic-functions"};
    request.languages = {host ? "c++" : "cu", ""};
    if (!place.operation.empty()) {
        request.inputs.push_back(place.operation.string());
        request.languages.emplace_back();
    }
    request.preprocess = include_options(place, build);
    request.preprocess.push_back(fmt::format("-DLANEWORK_DEVICE={}", name_of(device)));
    request.compile = {"-std=gnu++20", "-fPIC"};
    if (host) {
        whole.instrumentation = Instrumentation::none;
        whole.native = true;
        request.preprocess.emplace_back("-DHWY_COMPILE_ONLY_STATIC");
        request.compile.emplace_back("-fopenmp");
    }
    // What two of them call alike, a template's static variable say, is each one's own.
    if (build.toolchain.family == CompilerFamily::gnu) request.compile.emplace_back("-fno-gnu-unique");
    request.shared = true;
    request.texts = texts;
    request.knows_device = true;
    return build_program(whole, cache, request);
}

namespace {

std::vector<const LoadedRung*>& loaded_rungs() {
    static auto& all = *new std::vector<const LoadedRung*>;
    return all;
}

}  // namespace

const Rung& load_rung_library(const fs::path& library, const RungEntryName& entry, const RungPlace& place,
                              std::string_view renamed, std::string_view climbs_from) {
    // Constant data points into it: it is never destroyed.
    loaded_rungs().push_back(new LoadedRung(library, entry, place, renamed, climbs_from));
    return loaded_rungs().back()->rung();
}

const RungPlace* place_of_loaded(const Rung& rung) {
    for (const LoadedRung* const each : loaded_rungs())
        if (&each->rung() == &rung) return &each->place();
    return nullptr;
}

bool defines_rung(const fs::path& file) { return text_of(file).find("\nLANEWORK_RUNG(") != std::string::npos; }

void refuse_library(const std::string& shown, const std::string& said, std::string_view advice) {
    constexpr std::string_view kUndefined = "undefined symbol: ";
    const std::size_t at = said.find(kUndefined);
    if (at == said.npos) throw UnavailableError(fmt::format("{} cannot be loaded: {}", shown, said));
    throw CompilationError(fmt::format("{} does not link: nothing that it is built with defines `{}`{}", shown,
                                       demangled(said.substr(at + kUndefined.size()).c_str()), advice));
}

}  // namespace lanework
