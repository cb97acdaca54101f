// A program: a CUDA file and the files of its own that it includes, translated together.
#pragma once

#include <filesystem>
#include <map>

#include "src/cudafe/translate.hpp"

namespace lanework::cudafe {

struct Request {
    std::filesystem::path input, output;
    /// Where includes are looked for: quoted ones after the folder of the including file, those in angle brackets
    /// alone.
    std::vector<std::filesystem::path> include_folders;
    /// Macros of the command line, NAME or NAME=TEXT.
    std::vector<std::string> macros = {};
    /// More text comes to the compiler than is seen here: -include FILE.
    bool more_text = false;
    /// Device code sees __CUDA_ARCH__, as nvcc's does; else every function is the host's, as of a library that knows
    /// this device.
    bool architecture = false;
    /// Device code may call constexpr functions of the host (--expt-relaxed-constexpr).
    bool relaxed = false;
    /// Of programs; a rung keeps no lanes together but where hooks do.
    Lockstep lockstep = Lockstep::none;
    /// Kernels may run as loops between their barriers: nobody watches their threads.
    bool regions = false;
    /// Nobody watches what each thread does: those of a row are asked together what they have in common.
    bool rounds = false;
    /// Where NVIDIA's CCCL is, if it is: what it has of CUB is translated as a program's own files are; its other
    /// libraries are C++ as they stand.
    std::filesystem::path cccl = {};
    /// The simt device's headers: what of CUB they have stands in for CCCL's.
    std::filesystem::path headers = {};
    /// Texts that stand in for what files hold, by absolute path: the same lines with other constants.
    std::map<std::filesystem::path, std::string> texts = {};
};

struct Translation {
    /// What to write, by absolute path: the output, and the translated copies of included files beside it.
    std::map<std::filesystem::path, std::string> files;
    /// Every file that was read, the input first.
    std::vector<std::filesystem::path> read;
};

/// A message that is complete: "PATH:LINE:COLUMN: error: …".
class TranslationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Translates a file for the simt device. Included files that hold CUDA's own syntax, or include such files, are
/// translated into OUTPUT.includes; the others are used where they are. Writes nothing. Throws TranslationError.
Translation translate_program(const Request& request);

}  // namespace lanework::cudafe
