// lanework-cudafe: turns a CUDA file into C++ that a host compiler takes with the headers of the simt device.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "src/cudafe/program.hpp"

namespace {

namespace fs = std::filesystem;
using namespace lanework::cudafe;

constexpr int kGood = 0, kUsage = 2, kTranslation = 3;

constexpr std::string_view kHelp =
    "usage: lanework-cudafe FILE.cu -o FILE.cpp [--depfile FILE.d] [-I FOLDER]... [--cccl FOLDER] [--headers FOLDER] "
    "[--regions]\n"
    "\n"
    "Turns a CUDA file into C++ for g++ and clang++: kernel<<<...>>>(...), __shared__ and extern __shared__ become\n"
    "calls of the simt device's headers; everything else is copied byte for byte, and errors, __FILE__ and debuggers\n"
    "keep pointing at the CUDA file.\n"
    "\n"
    "  -o FILE.cpp       the translation; files that it includes and that need one, too, go to FILE.cpp.includes\n"
    "  --depfile FILE.d  also list every file that was read, as a rule for make and ninja\n"
    "  -I FOLDER         look for includes here; for quoted ones after the folder of the file that includes them\n"
    "  --cccl FOLDER     NVIDIA's CCCL: files of CUB that are included are translated, too\n"
    "  --headers FOLDER  the simt device's headers: files of CUB that are there stand in for CCCL's\n"
    "  --regions         kernels get loops between their barriers beside what they are, for code that nobody watches\n"
    "  -h, --help        show this\n"
    "\n"
    "exit status: 0 good, 2 usage, 3 the file cannot be read, understood or written\n";

class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Options {
    Request request;
    fs::path depfile;
    bool help = false;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = [&]() -> std::string {
            if (++i == argc) throw UsageError(argument + " needs a value");
            return argv[i];
        };
        if (argument == "-h" || argument == "--help")
            options.help = true;
        else if (argument == "-o")
            options.request.output = value();
        else if (argument == "--depfile")
            options.depfile = value();
        else if (argument == "--cccl")
            options.request.cccl = value();
        else if (argument == "--regions")
            options.request.regions = true;
        else if (argument == "--headers")
            options.request.headers = value();
        else if (argument == "-I")
            options.request.include_folders.emplace_back(value());
        else if (argument.starts_with("-I"))
            options.request.include_folders.emplace_back(argument.substr(2));
        else if (argument.starts_with("-") && argument != "-")
            throw UsageError("there is no option " + argument + ": see --help");
        else if (!options.request.input.empty())
            throw UsageError("more than one input: " + options.request.input.string() + " and " + argument);
        else
            options.request.input = argument;
    }
    if (options.help) return options;
    if (options.request.input.empty()) throw UsageError("there is no input: name a .cu file");
    if (options.request.output.empty()) throw UsageError("there is no output: name it with -o");
    std::error_code absent;
    if (fs::equivalent(options.request.input, options.request.output, absent))
        throw UsageError("the output would replace the input " + options.request.input.string());
    return options;
}

/// Whole or not at all; devices and pipes are written to and not replaced.
void write_file(const fs::path& path, const std::string& text) {
    std::error_code ignored;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
    const bool in_place = fs::is_character_file(path, ignored) || fs::is_fifo(path, ignored);
    fs::path temporary = path;
    if (!in_place) temporary += '.' + std::to_string(getpid()) + ".tmp";
    std::ofstream stream(temporary, std::ios::binary);
    stream << text;
    stream.close();
    std::error_code failure;
    if (stream && !in_place) fs::rename(temporary, path, failure);
    if (stream && !failure) return;
    const std::string why = failure ? failure.message() : "the folder is not there, not writable, or full";
    if (!in_place) fs::remove(temporary, ignored);
    throw TranslationError(path.string() + ": error: cannot be written: " + why);
}

/// A path as make reads it.
std::string escaped(const fs::path& path) {
    std::string result;
    for (const char c : path.string()) {
        if (c == ' ' || c == '#' || c == '\\') result += '\\';
        if (c == '$') result += '$';
        result += c;
    }
    return result;
}

std::string dependencies(const Options& options, const Translation& translation) {
    std::string rule = escaped(options.request.output) + ':';
    for (const fs::path& file : translation.read) rule += " \\\n  " + escaped(file);
    return rule + '\n';
}

void run(const Options& options) {
    try {
        const Translation translation = translate_program(options.request);
        for (const auto& [path, text] : translation.files) write_file(path, text);
        if (!options.depfile.empty()) write_file(options.depfile, dependencies(options, translation));
    } catch (...) {
        // An output of an earlier run would pass for this one's.
        std::error_code ignored;
        fs::remove(options.request.output, ignored);
        throw;
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        if (options.help)
            std::cout << kHelp;
        else
            run(options);
        return kGood;
    } catch (const UsageError& error) {
        std::cerr << "lanework-cudafe: error: " << error.what() << '\n';
        return kUsage;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return kTranslation;
    }
}
