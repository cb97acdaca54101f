// Ladders of a user's own: from a folder to an operation and its rungs, compiled and loaded.
#pragma once

#include <filesystem>
#include <lanework/registry.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/ladder/own_rung.hpp"

namespace lanework {

/// Whether a word of the command line names a folder of this kind, or a rung in one: "./softmax", "../softmax/naive",
/// "/tmp/softmax/naive.cu". Names of Lanework's own operations come first.
bool names_own_ladder(const std::string& word);

/// What the rungs that the word means run on where there is no GPU: simt, cpu. Nothing for a word that means none.
/// Throws FileError and UsageError for a folder that cannot be understood.
std::vector<DeviceKind> devices_without_gpu(const std::string& word);

struct LoadedLadder {
    const Operation* operation = nullptr;
    /// The rung that the word names; empty for the whole ladder.
    std::string rung;
};

/// A kernel that the command line adds to a ladder: --kernel FILE.cu:NAME --grid … --block ….
struct AddedKernel {
    /// "mine.cu:softmax_kernel", "mine.cu".
    std::string kernel;
    LaunchShapeText launch;
    /// What each rung that is built is built with besides, as nvcc is told; with `kernel` or without.
    std::string build = {};
    bool empty() const { return kernel.empty(); }
};

/// Reads the folder, compiles the rungs that the word means and are not in the cache, loads them, and makes the
/// operation known to the registry, with its rungs for these kinds of devices (simt where none is named). The same
/// folder is loaded once. Throws what those throw.
LoadedLadder load_own_ladder(const std::string& word, const Build& build, const AddedKernel& added = {},
                             const std::vector<DeviceKind>& devices = {});

/// What a ladder's rungs are judged against: of a folder, or of one of the program's own operations by its name. Throws
/// FileError where the word names neither, and what those throw.
OwnOperation& operation_of_word(const std::string& word, const Build& build);

/// The operation of such a ladder; null for one of the library's.
const OwnOperation* own_operation(const Operation& operation);
/// What a rung of such a ladder was made of; null for a rung of the library's.
const OwnRung* own_rung(const Rung& rung);

}  // namespace lanework
