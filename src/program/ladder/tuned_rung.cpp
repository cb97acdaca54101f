// A library that holds one rung: its entry is the constant data that the program's own rungs are.
#include "src/program/ladder/tuned_rung.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <stdexcept>

#include "src/core/compilation_error.hpp"
#include "src/program/digest.hpp"
#include "src/program/ladder/kernel_file.hpp"
#include "src/program/ladder/nvcc_library.hpp"
#include "src/program/ladder/own_ladder.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTunedRungs = "tuned-rungs";
/// A file's line that says what it is compiled for: "// architectures: 90a".
constexpr std::string_view kArchitectures = "// architectures: ";

/// The folder that holds "ops/transpose/naive.cu". Throws UnavailableError.
fs::path root_of(const Rung& rung) {
    const fs::path root = find_sources();
    std::error_code error;
    if (!fs::is_regular_file(root / rung.file, error))
        throw UnavailableError(
            fmt::format("{} is not here to be compiled again: {}", rung.file,
                        root.empty() ? "this program has no sources" : "it is not in " + root.string()));
    return root;
}

/// Of kernels that launch for themselves and of a processor's code nothing is known.
std::vector<TunableConstant> constants_of(const Rung& rung, const fs::path& root) {
    if (rung.library || !rung.file.ends_with(".cu")) return {};
    return tunable_constants(root / rung.file, root);
}

const TunableConstant& require(const Rung& rung, const std::vector<TunableConstant>& constants, const fs::path& root,
                               const std::string& name) {
    if (const TunableConstant* const found = find_constant(constants, name, root / rung.file)) return *found;
    throw UsageError(
        fmt::format("{}/{} has no constant `{}`; {}", rung.operation, rung.name, name,
                    constants.empty() ? "it has none that is a plain number" : "it has " + listed(constants)));
}

/// What a tuned rung is to the rest of the program.
class LoadedRung {
public:
    LoadedRung(const Rung& like, std::string name, std::string_view base, const fs::path& library)
        : name_(std::move(name)), climbs_from_(base), file_(like.file) {
        void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) throw UnavailableError(fmt::format("{} cannot be loaded: {}", file_, dlerror()));
        const std::string entry =
            fmt::format("lanework_rung_{}_{}_{}", lanework::name_of(like.device), like.operation, like.name);
        inner_ = static_cast<const Rung*>(dlsym(handle, entry.c_str()));
        take_error_ = reinterpret_cast<decltype(take_error_)>(dlsym(handle, "lanework_take_error"));
        error_text_ = reinterpret_cast<decltype(error_text_)>(dlsym(handle, "lanework_error_text"));
        if (!inner_ || !take_error_ || !error_text_)
            throw UnavailableError(fmt::format("{} was built without its entry", file_));
        for (const Rung::Typed& typed : inner_->types)
            if (typed.supported(inner_->entry)) types_.push_back(forwarded(typed.dtype));
        rung_ = *inner_;
        rung_.name = name_;
        rung_.climbs_from = climbs_from_;
        rung_.lesson = {};  // which stands with the rung that it was made of
        rung_.file = file_;
        rung_.types = types_;
        rung_.entry = this;
    }

    const Rung& rung() const { return rung_; }

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
                .launch_args = [](const void*, const void*,
                                  void*) { throw std::logic_error("a tuned rung is launched for problems alone"); },
                .fits =
                    [](const void* own, const Problem& problem, const Buffers& buffers) {
                        return self(own).inner(problem).fits(self(own).inner_->entry, problem, buffers);
                    },
                .fits_args = [](const void*, const void*) { return false; }};
    }

    // An error of a launch stays in the library's own runtime, where it has one.
    void launch(const Problem& problem, const Buffers& buffers, void* stream) const {
        inner(problem).launch(inner_->entry, problem, buffers, stream);
        if (const int error = take_error_(); error != 0)
            throw DeviceError(fmt::format("{}/{}: {} (error {})", rung_.operation, name_, error_text_(error), error));
    }

    std::string name_, climbs_from_, file_;
    const Rung* inner_ = nullptr;
    int (*take_error_)() = nullptr;
    const char* (*error_text_)(int error) = nullptr;
    std::vector<Rung::Typed> types_;
    Rung rung_{};
};

/// Includes the rung's file, and gives what its launches left.
std::string library_source(const fs::path& file) {
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

/// As ops/CMakeLists.txt compiles it: what images and detection compute is rounded one step at a time.
bool rounds_every_step(const fs::path& folder) {
    const std::string header = text_of(folder / "operation.hpp");
    return text_of(folder / "operation.cpp").find("\n#include \"src/pixels/") != std::string::npos ||
           header.find("\n#include \"src/pixels/") != std::string::npos ||
           header.find("\n#include <lanework/detection.hpp>") != std::string::npos;
}

fs::path build_library(const Rung& rung, const fs::path& root, const SourceTexts& texts, const Build& build,
                       ProgramCache& cache) {
    const fs::path file = root / rung.file;
    const bool cuda = rung.device == DeviceKind::cuda;
    const fs::path copies = cuda ? copy_with_texts(file, root, texts, cache) : root;
    const std::string source = library_source(copies / rung.file);
    const fs::path library = cache.place(kTunedRungs, Digest().add(source).text(), file.filename().string());
    cache.write(library, source);
    if (cuda) {
        NvccLibrary request{.source = library,
                            .name = file.stem().string(),
                            .shown = std::string(rung.file),
                            .read = sources_of(copies / rung.file, copies),
                            .options = {"-std=c++20", "-O3", "-DLANEWORK_DEVICE=cuda", "-I", copies.string(), "-I",
                                        root.string(), "-I", build.toolchain.public_headers.string()},
                            .architecture = "native"};
        for (const char* option : {"-lineinfo", "--extended-lambda", "--expt-relaxed-constexpr"})
            request.options.emplace_back(option);
        if (rounds_every_step(file.parent_path())) request.options.emplace_back("--fmad=false");
        if (const std::string architecture = architecture_of(file); !architecture.empty())
            request.architecture = "sm_" + architecture;
        return build_with_nvcc(request, build, cache);
    }
    BuildRequest request;
    // The program holds the rung as it stands, whose functions of the same names this library must not call.
    request.inputs = {library.string(), "-Wl,-Bsymbolic-functions"};
    request.languages = {"cu", ""};
    request.preprocess = {"-I" + root.string(), "-I" + build.toolchain.public_headers.string(),
                          "-DLANEWORK_DEVICE=simt"};
    request.compile = {"-std=gnu++20", "-fPIC"};
    // What two of them call alike, a template's static variable say, is each one's own.
    if (build.toolchain.family == CompilerFamily::gnu) request.compile.emplace_back("-fno-gnu-unique");
    request.shared = true;
    request.texts = texts;
    request.knows_device = true;
    return build_program(build, cache, request);
}

/// "static assertion failed: a tile has whole warps" of a compiler's messages.
std::string first_error(const std::string& said) {
    constexpr std::string_view kError = "error: ";
    const std::size_t at = said.find(kError);
    if (at == said.npos) return said.substr(0, said.find('\n'));
    const std::size_t begin = at + kError.size();
    return said.substr(begin, said.find('\n', begin) - begin);
}

}  // namespace

Tunings tuning_as_it_stands(const Rung& rung, std::span<const std::string> names) {
    Tunings result;
    if (const OwnRung* const own = own_rung(rung)) {
        const KernelFile file = read_kernel_file(own->file());
        for (const std::string& name : names)
            if (const auto value = value_as_it_stands(file, own->source(), name)) result.push_back({name, *value});
        return result;
    }
    const fs::path root = rung.library ? fs::path() : root_of(rung);  // of which nothing is known
    const std::vector<TunableConstant> constants = constants_of(rung, root);
    for (const std::string& name : names) result.push_back({name, require(rung, constants, root, name).value});
    return result;
}

std::vector<std::string> tunable_names(const Rung& rung) {
    std::vector<std::string> names;
    std::vector<TunableConstant> constants;
    if (const OwnRung* const own = own_rung(rung)) {
        const KernelFile file = read_kernel_file(own->file());
        names = stated_lengths(file, own->source());
        constants = tunable_constants(file.path, file.path.parent_path());
    } else {
        constants = constants_of(rung, root_of(rung));
    }
    for (const TunableConstant& constant : constants) names.push_back(constant.name);
    return names;
}

const Rung& renamed_rung(const Rung& rung, const Tunings& tunings) {
    // Results point into it.
    auto& name = *new std::string(tuned_name(rung.name, tunings));
    auto& renamed = *new Rung(rung);
    renamed.name = name;
    return renamed;
}

const Rung& tuned_rung(const Rung& rung, const Tunings& tunings, std::string_view base, const Build& build) {
    std::string said;
    Build quiet = build;
    quiet.colour = false;
    quiet.tell = [&](std::string_view text) { said += text; };
    ProgramCache cache;
    try {
        if (const OwnRung* const own = own_rung(rung)) {
            RungSource source = own->source();
            source.tunings = tunings;
            source.climbs_from = base;
            OwnRung& made = OwnRung::make(own->operation(), source, rung.device);
            made.load(made.build(quiet, cache));
            return made.rung();
        }
        const fs::path root = root_of(rung);
        const std::vector<TunableConstant> constants = constants_of(rung, root);
        std::vector<std::pair<const TunableConstant*, std::int64_t>> values;
        for (const Tuning& tuning : tunings)
            values.emplace_back(&require(rung, constants, root, tuning.name), tuning.value);
        const fs::path library = build_library(rung, root, with_values(values), quiet, cache);
        // Constant data points into it: it is never destroyed.
        return (new LoadedRung(rung, tuned_name(rung.name, tunings), base, library))->rung();
    } catch (const CompilationError& error) {
        throw CompilationError(said.empty() ? error.what() : first_error(said));
    }
}

}  // namespace lanework
