// One file's text to its edits: everything that is CUDA's own syntax.
#pragma once

#include "src/cudafe/architecture.hpp"
#include "src/cudafe/declaration.hpp"
#include "src/cudafe/kernel_addresses.hpp"
#include "src/cudafe/shared.hpp"
#include "src/cudafe/volatile_accesses.hpp"
#include "src/cudafe/waiting.hpp"

namespace lanework::cudafe {

/// A word that says where a variable lies, and the macros that stand for it.
using QualifierWords = std::set<std::string, std::less<>>;

/// What all files of a program have to know of each other.
struct Words {
    /// Macros that stand for the word __shared__: `#define SHARED __shared__`.
    SharedWords shared{"__shared__"};
    QualifierWords constants{"__constant__"}, managed{"__managed__"};
    KernelNames kernels;
    /// The __shared__ variables outside functions, which other files use that include theirs.
    FileVariables shared_of_files;
    Waiting waiting;
    /// Kernels that run as loops between their barriers, where these are cut (barrier_regions.hpp).
    std::set<std::string, std::less<>> cut_kernels;
    RoundWords of_rounds;
    DeviceCode device;
    VolatileNames volatiles;
    /// Device code is given __CUDA_ARCH__.
    bool architecture = false;
    Lockstep lockstep = Lockstep::none;
    /// Conditions of kernels are asked of whole rows of threads: where nobody counts what each of them does.
    bool rounds = false;
    /// Shifts by a word's width or more give 0.
    bool shifts = true;
};
/// Adds a macro of the command line, NAME or NAME=TEXT.
void define_macro(std::string_view macro, Words& words);
/// Adds the macros of a file.
void collect_macros(const TokenizedFile& file, Words& words);
/// Adds the other words of a file; behind the macros of all files and of the command line.
void collect_words(const TokenizedFile& file, Words& words);
/// Adds a file's __shared__ variables outside functions; behind the words of all files.
void collect_shared(const TokenizedFile& file, Words& words);
/// Finds how the threads of a file's kernels take part; behind the words of all files and of the command line.
void collect_rounds(const TokenizedFile& file, Words& words);
/// Lets the lanes of a warp keep step in volatile memory; behind the words of all files.
void collect_volatile(const std::vector<const TokenizedFile*>& files, Lockstep lockstep, Words& words);
/// Lets device code have __CUDA_ARCH__, where a file asks for it; behind the words of all files.
void collect_device_code(const std::vector<const TokenizedFile*>& files, Words& words);

/// The edits that turn CUDA's syntax into calls of the simt headers; none for a file that is C++ as it stands.
/// Throws MalformedError.
Edits translate(const TokenizedFile& file, const Words& words);

}  // namespace lanework::cudafe
