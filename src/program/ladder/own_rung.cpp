// Compiles a rung's file behind a generated launcher, and makes a Rung of the library.
#include "src/program/ladder/own_rung.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <lanework/error.hpp>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "src/core/compilation_error.hpp"
#include "src/core/length.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/program/digest.hpp"
#include "src/program/ladder/host_code.hpp"
#include "src/program/ladder/nvcc_library.hpp"
#include "src/program/ladder/rung_library.hpp"
#include "src/simt/default_floats.hpp"
#include "src/simt/rehearsal.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCopy = "lanework_copy";
constexpr const char* kErrorText = "lanework_error_text";
constexpr const char* kLaunchers = "launchers";

/// Of a function for the processor.
constexpr const char* kHostCopySource =
    "#include <cstring>\n"
    "extern \"C\" int lanework_copy(void* to, const void* from, unsigned long long bytes, void*) {\n"
    "    if (bytes > 0) std::memcpy(to, from, bytes);\n"
    "    return 0;\n"
    "}\n"
    "extern \"C\" const char* lanework_error_text(int) { return \"failed\"; }\n";

/// What a launcher's file holds besides: an array that is changed in place begins as a copy.
constexpr const char* kCopySource =
    "extern \"C\" int lanework_copy(void* to, const void* from, unsigned long long bytes, void* stream) {\n"
    "    return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)stream);\n"
    "}\n"
    "extern \"C\" const char* lanework_error_text(int error) { return cudaGetErrorString((cudaError_t)error); }\n";

unsigned length(const Expression& expression, const NamedValues& values) {
    const std::int64_t whole = expression.whole(values);
    if (whole > std::numeric_limits<int>::max())
        throw UsageError(fmt::format("`{}` is {}: more than a launch can have", expression.text(), whole));
    return static_cast<unsigned>(whole);
}

constexpr const char* kLengths[] = {"block", "grid", "shared"};

/// The length of a launch that is called so: its text, or null for another name.
std::string* length_called(LaunchShapeText& launch, std::string_view name) {
    return name == "block"    ? &launch.block
           : name == "grid"   ? &launch.grid
           : name == "shared" ? &launch.shared
                              : nullptr;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
    return digits ? parse_length(text) : std::nullopt;
}

/// The expression with another number wherever it has this one.
std::string replaced(std::string_view text, std::int64_t from, std::int64_t to) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find_first_not_of("0123456789.", at);
        end = std::min(end, text.size());
        const bool named = at > 0 && (std::isalpha(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
        const std::string_view number = text.substr(at, end - at);
        if (number.empty()) {
            result += text[at++];
            continue;
        }
        result += !named && whole_number(number) == from ? std::to_string(to) : std::string(number);
        at = end;
    }
    return result;
}

/// As the command line or else the file's first comment states it.
LaunchShapeText stated_launch(const KernelFile& file, const RungSource& source) {
    LaunchShapeText launch = source.launch;
    for (const char* name : kLengths)
        if (std::string* const text = length_called(launch, name); text->empty()) *text = file.state(name);
    return launch;
}

BuildWords read_stated_words(const std::string& shown, const std::string& text, const fs::path& folder) {
    try {
        return read_build_words(split_build_words(text), folder);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: build: {}", shown, error.what()));
    }
}

[[noreturn]] void refuse_name(const KernelFile& file, const std::vector<TunableConstant>& constants,
                              LaunchShapeText& launch, const std::string& name) {
    std::string all = listed(constants);
    for (const char* length : kLengths)
        if (!length_called(launch, length)->empty())
            all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", length, *length_called(launch, length));
    throw UsageError(fmt::format("{} has no constant `{}`; {}", shown_path(file.path), name,
                                 all.empty() ? "it has none that is a plain number" : "it has " + all));
}

}  // namespace

std::vector<std::string> stated_lengths(const KernelFile& file, const RungSource& source) {
    LaunchShapeText launch = stated_launch(file, source);
    std::vector<std::string> names;
    for (const char* name : kLengths)
        if (!length_called(launch, name)->empty()) names.emplace_back(name);
    return names;
}

std::optional<std::int64_t> value_as_it_stands(const KernelFile& file, const RungSource& source,
                                               const std::string& name) {
    LaunchShapeText launch = stated_launch(file, source);
    if (const std::string* const length = length_called(launch, name); length && !length->empty())
        return whole_number(*length);
    const auto constants = tunable_constants(file.path, file.path.parent_path());
    if (const TunableConstant* const constant = find_constant(constants, name, file.path)) return constant->value;
    refuse_name(file, constants, launch, name);
}

TunedSource tuned(const KernelFile& file, const RungSource& source) {
    TunedSource result{.launch = source.launch, .texts = {}};
    if (source.tunings.empty()) return result;
    result.launch = stated_launch(file, source);
    const auto constants = tunable_constants(file.path, file.path.parent_path());
    std::vector<std::pair<const TunableConstant*, std::int64_t>> values;
    for (const Tuning& tuning : source.tunings) {
        const TunableConstant* const constant = find_constant(constants, tuning.name, file.path);
        std::string* const length = length_called(result.launch, tuning.name);
        if (!length || length->empty()) {
            if (!constant) refuse_name(file, constants, result.launch, tuning.name);
            values.emplace_back(constant, tuning.value);
            continue;
        }
        const auto before = whole_number(*length);
        if (tuning.name == "block") {
            if (!before)
                throw UsageError(fmt::format("{}: its block is `{}`: --sweep block takes one that is a number",
                                             shown_path(file.path), *length));
            result.launch.grid = replaced(result.launch.grid, *before, tuning.value);
            // The code's own word for the same number.
            if (constant && constant->value == before) values.emplace_back(constant, tuning.value);
        }
        *length = std::to_string(tuning.value);
    }
    result.texts = with_values(values);
    return result;
}

OwnRung& OwnRung::make(const OwnOperation& operation, const RungSource& source, DeviceKind device) {
    // Constant data points into it: it is never destroyed.
    return *new OwnRung(operation, source, device);
}

OwnRung::OwnRung(const OwnOperation& operation, const RungSource& source, DeviceKind device)
    : operation_(operation),
      source_(source),
      file_(read_kernel_file(fs::absolute(source.file).lexically_normal())),
      name_(tuned_name(file_.path.stem().string(), source.tunings)),
      climbs_from_(source.climbs_from.empty() ? file_.state("climbs from") : source.climbs_from),
      shown_file_(shown_path(file_.path)) {
    TunedSource whole = tuned(file_, source);
    texts_ = std::move(whole.texts);
    bound_ = bind_by_name(file_, operation.description(), source.kernel, whole.launch, device);
    const Description& description = operation.description();
    const fs::path folder = file_.path.parent_path();
    own_build_words_ = read_stated_words(shown_file_, file_.state("build"), folder);
    build_words_ =
        read_build_words(device == DeviceKind::cuda ? description.build_on_gpu : description.build, description.folder);
    build_words_.append(own_build_words_);
    build_words_.append(read_build_words(source.build, fs::current_path()));
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
    rung_ = {
        .operation = operation.operation().name,
        .name = name_,
        .device = device,
        .library = source.library,
        .climbs_from = climbs_from_,
        // That of a tuned one stands with the rung that it was made of.
        .lesson = source.tunings.empty() ? std::string_view(file_.lesson) : std::string_view(),
        .file = shown_file_,
        .refuses =
            [](const Problem& problem) {
                return std::string_view(problem.variant == 0 ? "" : "is a plain kernel, which computes the first form");
            },
        .about = nullptr,
        .types = types_,
        .entry = this};
}

fs::path OwnRung::launcher_file(const KernelFile& file, DeviceKind device, ProgramCache& cache) const {
    const bool host = device == DeviceKind::cpu;
    const std::string source =
        launcher_source(file, bound_, operation_.description(), device) + (host ? kHostCopySource : kCopySource);
    // Its place names the rung alone, so that an unchanged one is found again.
    const std::string key = Digest().add(file.path.string()).add(source).text();
    const fs::path launcher = cache.place(kLaunchers, key, file_.path.filename().string());
    cache.write(launcher, source);
    return launcher;
}

KernelFile OwnRung::file_for_nvcc(const ProgramCache& cache) const {
    KernelFile file = file_;
    if (!texts_.empty())
        file.path = copy_with_texts(file_.path, file_.path.parent_path(), texts_, cache) / file_.path.filename();
    return file;
}

NvccSources OwnRung::nvcc_sources(ProgramCache& cache) const {
    NvccSources sources{.files = {launcher_file(file_for_nvcc(cache), DeviceKind::cuda, cache)},
                        .words = words_about_kernels(build_words_.words),
                        .relocatable = build_words_.request.relocatable};
    sources.words.insert(sources.words.begin(), {"-O3", "-I", file_.path.parent_path().string()});
    for (const fs::path& more : build_words_.sources())
        if (is_cuda_file(more.string())) sources.files.push_back(more);
    return sources;
}

fs::path OwnRung::build(const Build& build, ProgramCache& cache, const std::string& architecture,
                        std::vector<fs::path>* objects) const {
    const bool cuda = rung_.device == DeviceKind::cuda;
    const KernelFile file = cuda ? file_for_nvcc(cache) : file_;
    const fs::path folder = file_.path.parent_path();
    const bool host = rung_.device == DeviceKind::cpu;
    const fs::path launcher = launcher_file(file, rung_.device, cache);
    if (cuda)
        return build_with_nvcc({.source = launcher,
                                .name = file_.path.stem().string(),
                                .shown = shown_file_,
                                .read = files_of(file.path),
                                .options = {"-O3", "-lineinfo", "-I", folder.string()},
                                .more = &build_words_,
                                .architecture = architecture},
                               build, cache);
    Build whole = build;
    whole.instrumentation = host ? Instrumentation::none : Instrumentation::complete;
    whole.native = host;
    whole.for_this_process = true;
    BuildRequest request = build_words_.request;
    request.inputs.insert(request.inputs.begin(), launcher.string());
    request.languages.insert(request.languages.begin(), host ? "c++" : "cu");
    for (const fs::path& each : build_words_.library_folders()) {
        request.inputs.push_back("-Wl,-rpath," + each.string());
        request.languages.emplace_back();
    }
    request.compile.emplace_back("-fPIC");
    // What two rungs call alike, a template's static variable say, is each rung's own.
    if (build.toolchain.family == CompilerFamily::gnu) request.compile.emplace_back("-fno-gnu-unique");
    request.shared = true;
    request.texts = texts_;
    try {
        return build_program(whole, cache, request, objects);
    } catch (const CompilationError& error) {  // a file of ours includes the rung's, or a source that it is built with
        const std::string said = error.what();
        // The launcher's name says nothing to the user; what is missing does.
        if (const std::size_t link = said.find(" does not link"); link != said.npos)
            throw CompilationError(shown_file_ + said.substr(link));
        throw CompilationError(said.starts_with(launcher.string()) || build_words_.sources().empty()
                                   ? fmt::format("{} does not compile", shown_file_)
                                   : said);
    }
}

void OwnRung::load(const fs::path& library) {
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        refuse_library(
            shown_file_, dlerror(),
            "; name its source or library in a comment `// build: …`, in \"build\" of operation.json or with "
            "--build");
    for (const DType dtype : bound_.types)
        launchers_.push_back(reinterpret_cast<Launcher>(dlsym(handle, launcher_name(dtype).c_str())));
    copy_in_place_ = reinterpret_cast<decltype(copy_in_place_)>(dlsym(handle, kCopy));
    error_text_ = reinterpret_cast<decltype(error_text_)>(dlsym(handle, kErrorText));
    if (!copy_in_place_ || !error_text_ || std::ranges::find(launchers_, nullptr) != launchers_.end())
        throw UnavailableError(fmt::format("{} was built without its launcher", shown_file_));
}

std::size_t OwnRung::workspace(const Problem& problem) const {
    try {
        return bound_.workspace
                   ? static_cast<std::size_t>(bound_.workspace->whole(operation_.description().values(problem)))
                   : 0;
    } catch (const UsageError& error) {
        throw RefusedLaunch(fmt::format("{}: workspace: {}", shown_file_, error.what()));
    }
}

void OwnRung::launch(const Problem& problem, const Buffers& buffers, void* stream) const {
    const Description& description = operation_.description();
    const NamedValues known = description.values(problem);
    std::vector<double> values;
    for (const std::string& name : value_names(description)) values.push_back(known.find(name)->second);
    LaunchShape shape = shape_of(known);
    const auto check = [&](int error) {
        if (error == 0) return;
        const std::string how = bound_.function.kernel ? ", launched with " + shape.text() : std::string();
        throw RefusedLaunch(fmt::format("{}: {} (error {}){}", shown_file_, error_text_(error), error, how));
    };

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
    if (std::find(shape.lengths, shape.lengths + 3, 0u) != shape.lengths + 3) return;  // nothing to compute
    if (rung_.device == DeviceKind::cpu)
        shape.lengths[0] = static_cast<unsigned>(static_cast<const Team*>(stream)->threads);
    const auto type = std::ranges::find(bound_.types, problem.dtype) - bound_.types.begin();
    const lanework_simt::KeptFloats floats;  // what it rounds otherwise is not what comes behind it
    const HostCode running(shown_file_);
    int error = 0;
    try {
        error = launchers_[static_cast<std::size_t>(type)](arrays.data(), values.data(), shape.lengths, shape.shared,
                                                           stream);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const lanework_simt::EndlessRehearsal&) {
        throw;
    } catch (const std::exception& thrown) {
        throw ThrownByRung(fmt::format("{}: its host code threw: {}", shown_file_, thrown.what()));
    } catch (...) {
        throw ThrownByRung(fmt::format("{}: its host code threw what is no std::exception", shown_file_));
    }
    check(error);
}

std::string OwnRung::LaunchShape::text() const {
    return fmt::format("{}×{}×{} blocks of {}×{}×{} threads and {} bytes of shared memory", lengths[0], lengths[1],
                       lengths[2], lengths[3], lengths[4], lengths[5], shared);
}

OwnRung::LaunchShape OwnRung::shape_of(const NamedValues& known) const {
    LaunchShape shape;
    const char* what = "grid";
    try {
        for (std::size_t axis = 0; axis < bound_.grid.size(); ++axis)
            shape.lengths[axis] = length(bound_.grid[axis], known);
        what = "block";
        for (std::size_t axis = 0; axis < bound_.block.size(); ++axis)
            shape.lengths[3 + axis] = length(bound_.block[axis], known);
        what = "shared";
        if (bound_.shared) shape.shared = static_cast<unsigned long long>(bound_.shared->whole(known));
    } catch (const UsageError& error) {
        throw RefusedLaunch(fmt::format("{}: {}: {}", shown_file_, what, error.what()));
    }
    return shape;
}

}  // namespace lanework
