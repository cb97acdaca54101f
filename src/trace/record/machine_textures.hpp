// The textures that the machine code of a launch fetches from: those whose objects are among its arguments.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/trace/record/machine_arguments.hpp"

namespace lanework {

class MachineTextures {
public:
    /// `arguments` outlive it.
    explicit MachineTextures(const std::vector<KeptArgument>& arguments) : arguments_(arguments) {}

    /// False where no argument has a texture object of this low word, or several do, and for elements whose numbers
    /// are not floats or whole words here.
    bool fetch(const MachineFetch& fetch, MachineTexel& texel);

private:
    struct Texture {
        unsigned long long object;
        /// It gives floats, whatever its elements are.
        bool gives_floats;
        bool blends;
        /// Of its elements' numbers.
        unsigned bits;
        bool is_signed;
        /// It has rows.
        bool is_plane;
    };
    std::optional<Texture> find(std::uint32_t low_word) const;

    const std::vector<KeptArgument>& arguments_;
    std::map<std::uint32_t, std::optional<Texture>> found_;
};

}  // namespace lanework
