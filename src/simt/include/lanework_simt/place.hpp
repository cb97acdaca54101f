// A place in the source, taken by default arguments so that an error names the line that a kernel waits in.
#pragma once

namespace lanework_simt {

struct Place {
    const char* file = "";
    int line = 0;

    /// As a default argument: the place of the call.
    static constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return Place{file, line};
    }
};

}  // namespace lanework_simt
