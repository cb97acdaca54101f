// What `--sweep block=…` changes where no constant is called so: the lengths of the block that a rung's launches name.
#pragma once

#include <optional>
#include <utility>

#include "src/program/ladder/tuning.hpp"

namespace lanework {

/// Constants whose product a name of --sweep stands for: one, or the lengths of a block.
struct SweptConstants {
    /// x, y, z as far as they are written; null for a number that stands in the launch itself.
    std::vector<const TunableConstant*> constants;
    std::vector<std::int64_t> lengths;

    std::int64_t value() const;
    /// "kTile × kRows".
    std::string spelled() const;
    /// The constants' values for another product: the last of several lengths changes, and where all are one constant,
    /// that. Throws UsageError that says which products there are.
    std::vector<std::pair<const TunableConstant*, std::int64_t>> with(std::int64_t value) const;
};

/// The block of the launches in the rung's file, else in those of its folder that it includes: `<<<grid, kThreads>>>`,
/// `dim3(kTile, kRows)`, a variable that is such a dim3. None where they differ or something else is computed; `why`
/// then says so: "its block is `kThreads`, which is computed".
std::optional<SweptConstants> block_of_launches(const std::vector<TunableConstant>& constants,
                                                const std::filesystem::path& file, const IncludeRoot& root,
                                                std::string& why);
/// The same of one text; `why` stays empty where there is no launch.
std::optional<SweptConstants> block_of_text(const std::vector<TunableConstant>& constants, std::string_view text,
                                            std::string& why);

/// What this name of --sweep changes: find_constant(), else for `block` that of the launches.
std::optional<SweptConstants> find_swept(const std::vector<TunableConstant>& constants, std::string_view name,
                                         const std::filesystem::path& file, const IncludeRoot& root, std::string& why);

}  // namespace lanework
