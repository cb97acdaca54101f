// nvcc's command line, as far as it means something without a GPU: which files to build, and how.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What is done with an option of nvcc's.
enum class OptionUse {
    preprocess,    ///< passed on to the compiler: macros and folders of headers
    compile,       ///< passed on to the compiler: optimisation, the language's standard
    link,          ///< passed on to the linker, in the order of files
    words,         ///< its value is a list of the host compiler's own options, split at commas
    linker_words,  ///< the same for the linker
    driver,        ///< decides what the driver does
    noted,         ///< about a GPU's code: accepted, and nothing follows from it
    refused,       ///< cannot be done here; its sentence says why
};

/// How an option's value is written.
enum class OptionValue {
    none,
    joined,    ///< -Ifolder, -I folder
    separate,  ///< -o file, -arch=sm_90, -arch sm_90
};

struct NvccOption {
    /// "-I", and nvcc's long name for it or "".
    std::string_view name, long_name;
    OptionValue value;
    OptionUse use;
    /// What the host compiler calls it, where that is not `name`; or the reason of a refusal.
    std::string_view meaning = {};
};

/// Every option that is known, for help and tests.
std::span<const NvccOption> nvcc_options();

/// What a command line asks for.
struct BuildRequest {
    enum class Stage { link, compile, preprocess, depend, archive };
    Stage stage = Stage::link;
    /// Files in their order, with the linker's options (-l, -L, -Wl,…) between them.
    std::vector<std::string> inputs;
    std::string output;
    std::string output_folder;
    /// For the host compiler.
    std::vector<std::string> preprocess, compile;
    /// "cu", "c++", "c": what -x says of the files behind it; by input, "" for what its name says.
    std::vector<std::string> languages;
    std::string compiler;
    bool shared = false;
    bool debug = false;
    bool verbose = false, version = false;
    /// -MD, -MMD: write the files that were read as a rule for make; MMD leaves the system's out.
    bool dependencies = false, system_dependencies = true;
    std::string dependency_file, dependency_target;
    bool phony_dependencies = false;
    /// Device code of several files is linked together (-rdc=true, -dc).
    bool relocatable = false;
    /// -dlink: an object for the device code that others link; nothing is left to link here, and the object is empty.
    bool device_link = false;
    /// Options about a GPU's code from which nothing follows here.
    std::vector<std::string> noted;
    /// Texts that stand in for what files hold, by absolute path.
    std::map<std::filesystem::path, std::string> texts;
    /// The code knows the simt device, as the library's own rungs do: no branch of it is for __CUDA_ARCH__.
    bool knows_device = false;
};

/// Reads nvcc's command line. Throws UsageError that names an option which is unknown or refused.
BuildRequest read_nvcc_options(std::span<const std::string> words);

/// The words of a command line that decide what nvcc makes of one file's kernels, for whatever GPU: without files,
/// linking, and what names a GPU or another form of output.
std::vector<std::string> words_about_kernels(std::span<const std::string> words);

/// The option that a word begins, or null: "-Ifolder" is "-I", "--std=c++17" is "-std".
const NvccOption* find_nvcc_option(std::string_view word);
/// Whether the word behind this one is its value.
bool takes_next_word(const NvccOption& option, std::string_view word);

/// "my.cu" is one: a file that holds CUDA's own syntax.
bool is_cuda_file(std::string_view name);

}  // namespace lanework
