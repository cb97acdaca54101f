// The code of kernels as the toolkit's programs print it: PTX and SASS, read kernel by kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// PTX is the code of a virtual architecture, which the driver translates; SASS is what a GPU executes.
enum class CodeForm { ptx, sass };

struct KernelCode {
    /// As the linker sees it.
    std::string symbol;
    /// "sm_90": what the code was made for.
    std::string target;
    /// Instructions and, in PTX, declarations and labels; SASS begins with the instruction's address: "0010  LDC R1,
    /// …".
    std::vector<std::string> lines;
};

/// The kernels in what `cuobjdump -sass` prints: without the encodings, and without the padding behind the last
/// instruction.
std::vector<KernelCode> parse_sass(std::string_view text);

/// The kernels in a PTX file, or in several as `cuobjdump -ptx` prints them: their bodies, without what only debuggers
/// read. A kernel that stands there twice for one target comes once.
std::vector<KernelCode> parse_ptx(std::string_view text);

}  // namespace lanework
