// What to do about a file that does not compile, or a program that does not link. Each text continues a sentence, and
// is empty where nothing is known.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/program/nvcc_options.hpp"

namespace lanework {

/// What a file that is no source, object or library by its ending is, or how it is compiled all the same.
std::string what_it_may_be(const std::string& file);

/// What a file that does not compile may lack, where `said` is what the compiler said. Of C++: nvcc, too, takes CUDA in
/// files of another ending with -x cu alone. `has_cccl`: there are headers of Thrust, CUB and libcu++.
std::string advice_for(const std::filesystem::path& source, const BuildRequest& request, const std::string& language,
                       const std::string& said, bool has_cccl);

/// ": a.cu and b.cu define kernel(int*); make …": where files define the same, of objects with their sources; empty
/// where the linker says no such thing.
std::string defined_twice(std::string_view said, const std::vector<std::pair<std::string, std::string>>& objects);

/// ": it has no main; name …", ": none of its files has f(int) or g(); name …": what a program lacks that does not
/// link.
std::string undefined_of_program(const std::vector<std::string>& names, const BuildRequest& request);

}  // namespace lanework
