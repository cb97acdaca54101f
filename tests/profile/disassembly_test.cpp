// Getting a kernel's code: from the program where it is, by compiling where it is not, and what is said when neither
// can.
#include "src/profile/disassembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/core/compilation_error.hpp"
#include "tests/profile/stand_in.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

// What cuobjdump prints of a program with two kernels.
constexpr const char* kSass =
    "cat <<'END'\n"
    "\tcode for sm_90\n"
    "\t\tFunction : _Z1av\n"
    "        /*0000*/                   EXIT ;      /* 0x000000000000794d */\n"
    "\t\tFunction : _Z1bv\n"
    "        /*0000*/                   BAR.SYNC 0x0 ;      /* 0x000000000000794d */\n"
    "END\n"
    "echo 'cuobjdump warning : Function not found' >&2";

class DisassembledRung : public StandIns {
protected:
    CodeTools tools() const { return {.binary = folder_ / "program", .sources = folder_}; }
    std::string failure(const CodeRequest& request, const CodeTools& tools) const {
        try {
            disassemble(request, tools);
            return "no exception";
        } catch (const std::runtime_error& error) {
            return error.what();
        }
    }
};

TEST_F(DisassembledRung, ComesFromTheProgramThatHoldsIt) {
    CodeTools here = tools();
    here.cuobjdump = stand_in("cuobjdump", kSass);
    const Disassembly code = disassemble({.symbols = {"_Z1bv"}, .file = "k.cu", .architecture = 90}, here);
    ASSERT_EQ(code.kernels.size(), 1u);
    EXPECT_EQ(code.kernels[0].symbol, "_Z1bv");
    EXPECT_EQ(code.kernels[0].lines, std::vector<std::string>{"0000  BAR.SYNC 0x0"});
    EXPECT_EQ(code.origin, "code from this program");
}

TEST_F(DisassembledRung, IsAskedForByItsSymbolsBecauseAllTakesMinutes) {
    CodeTools here = tools();
    here.cuobjdump = "/x/cuobjdump";
    const auto words = cuobjdump_command({.symbols = {"_Z1av", "_Z1bv"}, .file = "k.cu", .architecture = 90}, here);
    const std::vector<std::string> expected{
        "/x/cuobjdump", "-sass", "-arch", "sm_90", "-fun", "_Z1av,_Z1bv", (folder_ / "program").string()};
    EXPECT_EQ(words, expected);
}

TEST_F(DisassembledRung, IsCompiledForAnArchitectureThatTheProgramLacks) {
    CodeTools here = tools();
    here.cuobjdump = stand_in("cuobjdump", "printf '.target sm_75\\n.entry _Z1av(\\n)\\n{\\nexit;\\n}\\n'");
    here.nvcc = stand_in("nvcc",
                         "for word; do out=$word; done\n"
                         "printf '.target sm_80\\n.entry _Z1av(\\n)\\n{\\nret;\\n}\\n' > \"$out\"");
    stand_in("k.cu", "");
    const CodeRequest request{.form = CodeForm::ptx, .symbols = {"_Z1av"}, .file = "k.cu", .architecture = 80};
    const Disassembly code = disassemble(request, here);
    ASSERT_EQ(code.kernels.size(), 1u);
    EXPECT_EQ(code.kernels[0].target, "sm_80");
    EXPECT_NE(code.origin.find("-arch=compute_80 -ptx"), std::string::npos) << code.origin;
    EXPECT_NE(code.origin.find("--extended-lambda"), std::string::npos) << "as the build compiles it: " << code.origin;
}

TEST_F(DisassembledRung, OfACompiledFileIsTheKernelThatIsNamed) {
    CodeTools here = tools();
    here.nvcc = here.cuobjdump = stand_in("tool", kSass);
    stand_in("k.cu", "");
    CodeRequest request{.symbols = {}, .file = "k.cu", .architecture = 90, .kernel = "b"};
    const Disassembly code = disassemble(request, here);
    ASSERT_EQ(code.kernels.size(), 1u);
    EXPECT_EQ(code.kernels[0].symbol, "_Z1bv");
    request.kernel = "c";
    EXPECT_EQ(failure(request, here), "k.cu holds no such kernel");
}

TEST_F(DisassembledRung, NamesTheMissingProgramAndItsPackage) {
    CodeTools here = tools();
    const CodeRequest sass{.symbols = {"_Z1av"}, .file = "k.cu"};
    EXPECT_NE(failure(sass, here).find("pip install nvidia-cuda-cuobjdump"), std::string::npos);
    here.nvcc = stand_in("nvcc", "");
    EXPECT_NE(failure(sass, here).find("cuobjdump was not found"), std::string::npos) << "nvcc cannot print SASS";
    here.nvcc.clear();
    here.cuobjdump = stand_in("cuobjdump", "");
    EXPECT_NE(failure(sass, here).find("cuda-nvcc"), std::string::npos);
    here.nvcc = stand_in("nvcc", "");
    EXPECT_NE(failure(sass, here).find("its source " + (folder_ / "k.cu").string() + " is not here"),
              std::string::npos);
}

TEST_F(DisassembledRung, TellsWhatTheCompilerSaid) {
    CodeTools here = tools();
    here.cuobjdump = stand_in("cuobjdump", "");
    here.nvcc = stand_in("nvcc", "echo 'k.cu(3): error: expected a \";\"'; exit 2");
    stand_in("k.cu", "");
    EXPECT_THROW(disassemble({.file = "k.cu", .architecture = 90}, here), CompilationError);
    EXPECT_EQ(failure({.file = "k.cu", .architecture = 90}, here),
              "nvcc does not compile k.cu for architecture 90: k.cu(3): error: expected a \";\"");
    here.nvcc.clear();
    here.cuobjdump = stand_in("cuobjdump", "echo 'cuobjdump fatal : no' >&2; exit 1");
    EXPECT_NE(failure({.symbols = {"_Z1av"}, .file = "k.cu"}, here).find("failed: cuobjdump fatal : no"),
              std::string::npos);
}

}  // namespace
}  // namespace lanework
