// From sources to an executable. An object is found by the translated text of its source, the compiler and its options;
// its manifest says which other files it was made of, and is checked before it is used.
#include "src/program/build.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <lanework/error.hpp>
#include <set>

#include "src/core/compilation_error.hpp"
#include "src/core/host.hpp"
#include "src/cudafe/program.hpp"
#include "src/io/file.hpp"
#include "src/program/build_advice.hpp"
#include "src/program/child_process.hpp"
#include "src/program/compiler_messages.hpp"
#include "src/program/device_header.hpp"
#include "src/program/digest.hpp"
#include "src/program/libraries.hpp"
#include "src/program/manifest.hpp"
#include "src/program/unavailable.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSources = "sources";
constexpr const char* kManifests = "manifests";
constexpr const char* kObjects = "objects";
constexpr const char* kExecutables = "executables";
constexpr const char* kManifestName = "manifest";

constexpr const char* kInstrumentedGnu = LANEWORK_INSTRUMENTED_GNU;
constexpr const char* kInstrumentedClang = LANEWORK_INSTRUMENTED_CLANG;
/// More for a clang that knows it: from 16 on.
constexpr const char* kSeparateLoads = LANEWORK_CLANG_SEPARATE_LOADS;
/// Without instrumentation. Device memory is used as one type and as another, and results do not depend on the machine.
/// No program sees the traps of floating-point numbers, which would keep a condition from becoming a mask, and no
/// kernel has an errno, which would keep a square root from becoming an instruction.
constexpr const char* kFast =
    "-O3 -fno-trapping-math -fno-math-errno -fstack-clash-protection -fno-strict-aliasing -ffp-contract=off "
    "-fno-delete-null-pointer-checks "
    "-Wno-unknown-pragmas";

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        if (end != 0) words.emplace_back(text.substr(0, end));
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    return words;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
}

std::string language_of(std::string_view name, const std::string& language) {
    if (!language.empty() && language != "none") return language;
    const std::string extension = fs::path(name).extension().string();
    if (extension == ".cu") return "cu";
    if (extension == ".c") return "c";
    for (const char* known : {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP"})
        if (extension == known) return "c++";
    return "";
}

/// The oldest standard that the device's headers are written in.
bool too_old(std::string_view standard) {
    for (const char* old : {"98", "03", "11", "0x", "14", "1y"})
        if (standard.ends_with(old)) return true;
    return false;
}

/// What the compiler that ran last said.
fs::path messages_of(const ProgramCache& cache) { return cache.temporary() / "said"; }

/// Whether a folder's disk has no room for as much as an object file.
bool is_full(const fs::path& folder) {
    constexpr std::uintmax_t kObject = 64 << 10;
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    return !error && space.available < kObject;
}

/// Runs a command of the compiler's and passes on what it says; false when it failed. FileError when it found no room
/// to write, which may be all that it could not say.
bool run_compiler(const Build& build, const ProgramCache& cache, const std::vector<std::string>& command,
                  bool tell_failure = true) {
    if (build.tell_command) build.tell_command(command);
    const fs::path said = messages_of(cache);
    std::error_code error;
    fs::remove(said, error);
    const int status = run_program({.command = command, .environment = in_english(), .output = said, .errors = said});
    const std::string text = text_of(said);
    const bool no_room = status != 0 && (text.find("No space left on device") != text.npos ||
                                         (text.empty() && is_full(cache.temporary())));
    if (!text.empty() && build.tell && (status == 0 || tell_failure || no_room)) build.tell(shown_messages(text));
    if (no_room)
        throw FileError(fmt::format("the compiler has no room to write: {} or {} is full", cache.folder().string(),
                                    temporary_folder().string()));
    return status == 0;
}

bool has_word(const std::vector<std::string>& words, std::string_view wanted) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(wanted); });
}

/// What -D defines.
std::vector<std::string> macros_of(const BuildRequest& request) {
    std::vector<std::string> macros;
    for (const auto* words : {&request.preprocess, &request.compile})
        for (const std::string& word : *words)
            if (word.starts_with("-D")) macros.push_back(word.substr(2));
    return macros;
}

bool is_instrumented(const Build& build, const std::string& language) {
    return build.instrumentation == Instrumentation::complete && language == "cu";
}

/// A file as the host compiler reads it.
struct Prepared {
    fs::path file;
    /// The files behind it, as the user wrote them, and the text that they became.
    std::vector<fs::path> read;
    std::string text;
    /// What the compiler needs to know of it.
    std::vector<std::string> options;
};

/// CUB is translated with the program that includes it: its own files have to find the copies, too. g++ is stricter
/// than nvcc about names that a class uses and then declares.
std::vector<std::string> options_of_copies(const Build& build, const fs::path& output,
                                           const cudafe::Translation& translation) {
    if (build.toolchain.cccl.empty()) return {};
    fs::path copies = output;
    copies += ".includes";
    copies /= build.toolchain.cccl.relative_path();
    for (const auto& [path, text] : translation.files)
        if (path.string().starts_with(copies.string()))
            return build.toolchain.family == CompilerFamily::gnu
                       ? std::vector<std::string>{"-I" + copies.string(), "-fpermissive", "-Wno-changes-meaning", "-w"}
                       : std::vector<std::string>{"-I" + copies.string()};
    return {};
}

/// `regions`: kernels that wait at barriers get loops between them, too, where nobody watches their threads.
Prepared translate(const Build& build, const ProgramCache& cache, const BuildRequest& request, const fs::path& source,
                   const std::string& language, bool regions) {
    if (build.tell_stage) build.tell_stage(fmt::format("translating {}", as_user_sees(source.string())));
    const fs::path whole = fs::absolute(source).lexically_normal();
    std::error_code error;
    if (!fs::is_regular_file(whole, error)) throw FileError(fmt::format("{}: there is no such file", source.string()));
    if (language != "cu") return {whole, {whole}, text_of(whole), {}};
    Digest place;
    place.add(whole.string());
    for (const std::string& word : request.preprocess) place.add(word);
    for (const auto& [path, text] : request.texts) place.add(path.string()).add(text);
    const cudafe::Lockstep lockstep =
        is_instrumented(build, language) ? cudafe::Lockstep::hooked : cudafe::Lockstep::called;
    place.add(lockstep == cudafe::Lockstep::hooked ? "hooked" : "");
    const bool relaxed = std::ranges::any_of(
        request.noted, [](const std::string& word) { return word.ends_with("expt-relaxed-constexpr"); });
    const fs::path output = cache.place(kSources, place.text(), whole.stem().string() + ".cu.cpp");
    std::vector<fs::path> folders = include_folders(request);
    std::erase_if(folders,
                  [&](const fs::path& each) { return fs::absolute(each).lexically_normal() == build.toolchain.cccl; });
    try {
        const cudafe::Translation translation = cudafe::translate_program(
            {.input = whole,
             .output = output,
             .include_folders = folders,
             .macros = macros_of(request),
             .more_text = has_word(request.preprocess, "-include") || has_word(request.compile, "-include"),
             .architecture = !request.knows_device,
             .relaxed = relaxed,
             .lockstep = lockstep,
             .regions = regions && !is_instrumented(build, language),
             .rounds = lockstep == cudafe::Lockstep::called,
             .cccl = build.toolchain.cccl,
             .headers = build.toolchain.headers,
             .texts = request.texts});
        std::string all;
        for (const auto& [path, text] : translation.files) {
            cache.write(path, text);
            all += text;
        }
        return {output, translation.read, std::move(all), options_of_copies(build, output, translation)};
    } catch (const cudafe::TranslationError& failure) {
        if (build.tell) build.tell(as_user_sees(failure.what()) + "\n");
        throw CompilationError(fmt::format("{} cannot be translated", as_user_sees(source.string())));
    }
}

std::vector<std::string> compiler_command(const Build& build, const BuildRequest& request, const Prepared& prepared,
                                          const std::string& language, const std::vector<std::string>& files) {
    std::vector<std::string> command{build.toolchain.compiler.string()};
    append(command, compiler_options(build, request, language));
    append(command, prepared.options);
    // A translation lies elsewhere; what its source includes by a macro's name is still found beside the source.
    append(command, {"-iquote", prepared.read.front().parent_path().string(), "-x", language == "c" ? "c" : "c++"});
    append(command, files);
    return command;
}

/// What a compiler is given besides, if it knows it: that is asked of it where it has something to compile.
std::vector<std::string> options_to_try(const Build& build, const std::string& language) {
    const bool clang = build.toolchain.family == CompilerFamily::clang;
    return clang && is_instrumented(build, language) ? split(kSeparateLoads) : std::vector<std::string>();
}

bool knows(const Toolchain& toolchain, const std::vector<std::string>& options) {
    std::vector<std::string> command{toolchain.compiler.string(), "-x", "c++", "-fsyntax-only", "/dev/null"};
    append(command, options);
    return run_program({.command = command, .output = "/dev/null", .errors = "/dev/null"}) == 0;
}

/// The header of the device, precompiled; none for a source that brings its own copies of NVIDIA's headers.
DeviceHeader precompiled(const Build& build, ProgramCache& cache, const BuildRequest& request, const Prepared& prepared,
                         const std::string& language) {
    if (language != "cu" || !prepared.options.empty() || prepared.text.find(kDeviceHeader) == std::string::npos)
        return {};
    return device_header(build.toolchain, cache, compiler_command(build, request, prepared, language, {}),
                         prepared.text);
}

/// The files that the compiler read, those that were translated by their own names.
std::vector<fs::path> files_read(const ProgramCache& cache, const Prepared& prepared, const DeviceHeader& header,
                                 const fs::path& rule) {
    std::vector<fs::path> files = prepared.read;
    std::set<fs::path> known(files.begin(), files.end());
    const std::string translated = cache.place(kSources, "", "").parent_path().string();
    const std::string precompiled =
        header.options.empty() ? translated : fs::path(header.options.back()).parent_path().string();
    const auto add = [&](const std::vector<fs::path>& more) {
        for (const fs::path& each : more) {
            const fs::path file = fs::absolute(each).lexically_normal();
            const bool made = file.string().starts_with(translated) || file.string().starts_with(precompiled);
            if (!made && known.insert(file).second) files.push_back(file);
        }
    };
    add(files_of_rule(text_of(rule)));
    add(header.read);
    return files;
}

CompiledFile found(const Manifest& manifest, const fs::path& object, const std::string& key, bool cached) {
    CompiledFile file{.object = object, .key = key, .read = {}, .cached = cached};
    for (const ReadFile& each : manifest.files()) file.read.push_back(each.path);
    return file;
}

/// Throws for what is neither an object nor a library. `of_program`: of one, whose own arguments may be meant, or its
/// language.
void require_linkable(const std::string& input, bool of_program, bool behind) {
    std::error_code error;
    if (!fs::exists(input, error))
        throw FileError(fmt::format("{}: there is no such file{}", input,
                                    of_program && behind ? "; the program's own arguments follow --" : ""));
    if (fs::is_directory(input, error)) throw FileError(fmt::format("{}: is a folder, not a file of a program", input));
    std::array<char, 8> start{};
    std::ifstream(input, std::ios::binary).read(start.data(), start.size());
    const std::string_view text(start.data(), start.size());
    const std::string ending = fs::path(input).extension().string();
    const bool by_name = ending == ".o" || ending == ".a" || ending == ".so" || input.find(".so.") != std::string::npos;
    if (!by_name &&
        !text.starts_with("\x7f"
                          "ELF") &&
        !text.starts_with("!<arch>") && !text.starts_with("!<thin>"))
        throw FileError(fmt::format("{}: is no source, object or library by its ending{}", input,
                                    of_program ? what_it_may_be(input) : ""));
}

}  // namespace

std::vector<fs::path> include_folders(const BuildRequest& request) {
    std::vector<fs::path> folders;
    for (std::size_t i = 0; i < request.preprocess.size(); ++i) {
        const std::string& word = request.preprocess[i];
        if (word.starts_with("-I")) folders.emplace_back(word.substr(2));
        if (word == "-isystem" && i + 1 < request.preprocess.size()) folders.emplace_back(request.preprocess[i + 1]);
    }
    return folders;
}

bool is_source(std::string_view name, const std::string& language) {
    return !name.starts_with("-") && !language_of(name, language).empty();
}

std::vector<std::string> compiler_options(const Build& build, const BuildRequest& request,
                                          const std::string& language) {
    std::vector<std::string> words;
    if (language == "c") {
        words.emplace_back("-O2");
        words.push_back("-I" + (build.toolchain.headers / "for_c").string());
    } else {
        const bool instrumented = is_instrumented(build, language);
        words = split(!instrumented                                     ? kFast
                      : build.toolchain.family == CompilerFamily::clang ? kInstrumentedClang
                                                                        : kInstrumentedGnu);
        // Both sides of && stay conditions of their own: a loop over threads ends, or is left out, where one says so.
        if (!instrumented && build.toolchain.family != CompilerFamily::clang)
            words.emplace_back("--param=logical-op-non-short-circuit=0");
        // Of kernels that are alike g++ gives only one its lines.
        if (build.toolchain.family != CompilerFamily::clang) words.emplace_back("-fno-ipa-icf");
        if (!instrumented && build.native) words.emplace_back("-march=native");
        words.emplace_back("-std=gnu++17");
        words.push_back("-I" + build.toolchain.headers.string());
        words.push_back("-isystem" + build.toolchain.public_headers.string());
        if (!build.toolchain.cccl.empty()) words.push_back("-isystem" + build.toolchain.cccl.string());
        append(words, request.preprocess);
        for (const std::string& word : request.compile) {
            // Counts are of the source as written: optimise no more than the instrumentation needs.
            if (instrumented && word.starts_with("-O")) continue;
            // nvcc optimises kernels fully, whatever is asked for of host code; -O0 is for a debugger.
            if (word == "-O1" || word == "-O2" || word == "-O") continue;
            if (word.starts_with("-std=") && too_old(word)) continue;
            words.push_back(word);
        }
        // A kernel that fails is named with its line.
        words.emplace_back(request.debug && !instrumented ? "-g" : "-g1");
        if (build.colour) words.emplace_back("-fdiagnostics-color=always");
        return words;
    }
    append(words, request.preprocess);
    for (const std::string& word : request.compile)
        if (!word.starts_with("-std=") || word.find("++") == word.npos) words.push_back(word);
    words.emplace_back(request.debug ? "-g" : "-g1");
    return words;
}

namespace {

CompiledFile compile_file(const Build& build, ProgramCache& cache, const BuildRequest& request, const fs::path& source,
                          const std::string& language, bool regions) {
    const Prepared prepared = translate(build, cache, request, source, language, regions);
    std::vector<std::string> command = compiler_command(build, request, prepared, language, {});
    const std::vector<std::string> tried = options_to_try(build, language);

    Digest digest;
    digest.add(build.toolchain.identity).add(cpu_name()).add(prepared.file.string()).add(prepared.text);
    for (const auto& words : {command, tried})
        for (const std::string& word : words) digest.add(word);
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
        if (const char* const folders = std::getenv(variable)) digest.add(folders);
    const std::string key = digest.text();
    if (const fs::path known = cache.find(kManifests, key, kManifestName); !known.empty())
        if (const auto manifest = Manifest::read(text_of(known)); manifest && manifest->holds()) {
            const std::string object_key = Digest().add(key).add(manifest->key()).text();
            if (const fs::path object = cache.find(kObjects, object_key, "object.o"); !object.empty())
                return found(*manifest, object, object_key, true);
        }

    if (build.tell_stage) build.tell_stage(fmt::format("compiling {}", as_user_sees(source.string())));
    const std::int64_t began = Manifest::now();
    const fs::path object = cache.temporary() / "object.o", rule = cache.temporary() / "rule.d";
    if (!tried.empty() && knows(build.toolchain, tried)) append(command, tried);
    append(command, {"-c", prepared.file.string(), "-o", object.string(), "-MD", "-MF", rule.string()});
    // An error is said of the kernel as it was written, once.
    const bool cut = regions && prepared.text.find("LANEWORK_REGIONS_BEGIN") != std::string::npos;
    DeviceHeader header = precompiled(build, cache, request, prepared, language);
    std::vector<std::string> with_header = command;
    append(with_header, header.options);
    bool compiled = run_compiler(build, cache, with_header, !cut && !header.may_be_refused);
    if (!compiled && header.may_be_refused) {
        compiled = run_compiler(build, cache, command, !cut);
        if (compiled) forget(cache, header);
        header = {};
    }
    if (!compiled && cut) return compile_file(build, cache, request, source, language, false);
    if (!compiled)
        throw CompilationError(fmt::format(
            "{} does not compile{}{}", as_user_sees(source.string()),
            advice_for(source, request, language, text_of(messages_of(cache)), !build.toolchain.cccl.empty()),
            unavailable_in(text_of(messages_of(cache)))));
    const std::vector<fs::path> read = files_read(cache, prepared, header, rule);
    const Toolchain& tools = build.toolchain;
    const IncludeFolders folders =
        IncludeFolders::of(command, {"/usr", tools.headers, tools.public_headers, tools.cccl, cache.folder()});
    const auto manifest = Manifest::of(read, search_of(read, folders));
    if (!manifest) throw FileError(fmt::format("{}: a file that it includes is gone", source.string()));
    const std::string object_key = Digest().add(key).add(manifest->key()).text();
    // A file that was changed while it was read may be another one than was compiled.
    if (!manifest->changed_since(began)) cache.write(cache.place(kManifests, key, kManifestName), manifest->text());
    return found(*manifest, cache.keep(object, kObjects, object_key, "object.o"), object_key, false);
}

}  // namespace

CompiledFile compile_file(const Build& build, ProgramCache& cache, const BuildRequest& request, const fs::path& source,
                          const std::string& wanted_language) {
    return compile_file(build, cache, request, source, language_of(source.string(), wanted_language), true);
}

void copy_into_place(const fs::path& finished, const fs::path& to) {
    if (is_stream(to)) {  // /dev/null stays what it is
        std::ofstream stream(to, std::ios::binary);
        if (stream << std::ifstream(finished, std::ios::binary).rdbuf() && stream.flush()) return;
        throw FileError(fmt::format("{}: cannot be written", to.string()));
    }
    fs::path temporary = to;
    temporary += fmt::format(".{}.tmp", getpid());
    std::error_code error;
    fs::copy_file(finished, temporary, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(temporary, to, error);
    if (!error) return;
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw FileError(fmt::format("{}: cannot be written: {}", to.string(), error.message()));
}

void preprocess_file(const Build& build, ProgramCache& cache, const BuildRequest& request, const fs::path& source,
                     const std::string& wanted_language, const fs::path& output) {
    const std::string language = language_of(source.string(), wanted_language);
    const Prepared prepared = translate(build, cache, request, source, language, true);
    const std::vector<std::string> command =
        compiler_command(build, request, prepared, language, {"-E", prepared.file.string(), "-o", output.string()});
    if (!run_compiler(build, cache, command))
        throw CompilationError(fmt::format("{} does not compile", as_user_sees(source.string())));
}

fs::path build_program(const Build& build, ProgramCache& cache, const BuildRequest& request,
                       std::vector<fs::path>* objects) {
    std::vector<std::string> command{build.toolchain.compiler.string()}, linked;
    std::vector<std::pair<std::string, std::string>> objects_of_sources;
    Digest digest;
    digest.add(build.toolchain.identity)
        .add(build.for_this_process ? std::string_view() : std::string_view(build.toolchain.library_identity));
    bool known = true;
    std::string name;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const std::string& input = request.inputs[i];
        if (input.starts_with("-")) {
            if (!is_device_library(input)) linked.push_back(input);
            if (input.starts_with("-L")) known = false;  // what a library of it holds may change
            digest.add(input);
            continue;
        }
        if (name.empty()) name = fs::path(as_user_sees(input)).stem().string();
        if (!is_source(input, request.languages[i])) {
            require_linkable(input, !build.for_this_process, i > 0);
            linked.push_back(input);
            digest.add(file_identity(input));
            continue;
        }
        const CompiledFile file = compile_file(build, cache, request, input, request.languages[i]);
        linked.push_back(file.object.string());
        objects_of_sources.emplace_back(file.object.string(), input);
        if (objects) objects->push_back(file.object);
        digest.add(file.key);
    }
    if (name.empty()) throw UsageError("there is no file to build");
    const std::string key = digest.text();
    if (request.output.empty() && known)
        if (const fs::path program = cache.find(kExecutables, key, name); !program.empty()) return program;

    if (build.tell_stage) build.tell_stage(fmt::format("linking {}", name));
    if (request.shared) command.emplace_back("-shared");
    append(command, linked);
    if (!build.for_this_process)
        append(command,
               {build.toolchain.library.string(), "-Wl,-rpath," + build.toolchain.library.parent_path().string()});
    // The tracer reads what the code calls, which must be known before it is called.
    append(command, {"-pthread", "-Wl,-z,now"});
    for (const std::string& word : request.compile)
        if (word.starts_with("-f") || word.starts_with("-m") || word == "-pthread" || word == "-pg")
            command.push_back(word);
    const fs::path made = cache.temporary() / "program";
    append(command, {"-o", made.string()});
    if (!run_compiler(build, cache, command, false)) {
        const std::string said = text_of(messages_of(cache));
        const std::vector<std::string> undefined = undefined_names(said);
        // A file without a main is all that there is to say.
        const bool main_alone = undefined == std::vector<std::string>{"main"};
        // The linker's words would be of the cache's objects and of lines in our headers.
        const std::string twice = undefined.empty() ? defined_twice(said, objects_of_sources) : std::string();
        if (build.tell && !main_alone && twice.empty()) build.tell(shown_messages(said));
        throw CompilationError(
            fmt::format("{} does not link{}{}", name, twice, undefined_of_program(undefined, request)));
    }
    if (request.output.empty()) return cache.keep(made, kExecutables, key, name);
    copy_into_place(made, request.output);
    return request.output;
}

}  // namespace lanework
