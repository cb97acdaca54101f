// nvcc's options as data. Those of a compiler's or a linker's are passed on; those about a GPU's machine code are
// accepted, since there is none; those that ask for machine code are refused.
#include "src/program/nvcc_options.hpp"

namespace lanework {
namespace {

using Use = OptionUse;
using Value = OptionValue;

constexpr std::string_view kMachineCode = "machine code for GPUs is made by NVIDIA's nvcc alone";

constexpr NvccOption kOptions[] = {
    // The preprocessor's.
    {"-I", "--include-path", Value::joined, Use::preprocess},
    {"-isystem", "--system-include", Value::separate, Use::preprocess},
    {"-D", "--define-macro", Value::joined, Use::preprocess},
    {"-U", "--undefine-macro", Value::joined, Use::preprocess},
    {"-include", "--pre-include", Value::separate, Use::preprocess},

    // The compiler's.
    {"-O", "--optimize", Value::joined, Use::compile},
    {"-std", "--std", Value::separate, Use::compile},
    {"-w", "--disable-warnings", Value::none, Use::compile},
    {"-pg", "--profile", Value::none, Use::compile},
    {"-m64", "", Value::none, Use::noted},
    {"-m", "--machine", Value::separate, Use::noted},
    {"-Xcompiler", "--compiler-options", Value::separate, Use::words},
    {"-g", "--debug", Value::none, Use::driver},
    {"-G", "--device-debug", Value::none, Use::driver},

    // The linker's.
    {"-l", "--library", Value::joined, Use::link},
    {"-L", "--library-path", Value::joined, Use::link},
    {"-Xlinker", "--linker-options", Value::separate, Use::linker_words},

    // What the driver does.
    {"-c", "--compile", Value::none, Use::driver},
    {"-dc", "--device-c", Value::none, Use::driver},
    {"-dw", "--device-w", Value::none, Use::driver},
    {"-E", "--preprocess", Value::none, Use::driver},
    {"-M", "--generate-dependencies", Value::none, Use::driver},
    {"-MM", "--generate-nonsystem-dependencies", Value::none, Use::driver},
    {"-MD", "--generate-dependencies-with-compile", Value::none, Use::driver},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", Value::none, Use::driver},
    {"-MF", "--dependency-output", Value::separate, Use::driver},
    {"-MT", "--dependency-target-name", Value::separate, Use::driver},
    {"-MP", "--generate-dependency-targets", Value::none, Use::driver},
    {"-o", "--output-file", Value::separate, Use::driver},
    {"-odir", "--output-directory", Value::separate, Use::driver},
    {"-x", "--x", Value::separate, Use::driver},
    {"-shared", "--shared", Value::none, Use::driver},
    {"-lib", "--lib", Value::none, Use::driver},
    {"-rdc", "--relocatable-device-code", Value::separate, Use::driver},
    {"-ccbin", "--compiler-bindir", Value::separate, Use::driver},
    {"-v", "--verbose", Value::none, Use::driver},
    {"-V", "--version", Value::none, Use::driver},

    // About a GPU's code: there is none.
    {"-arch", "--gpu-architecture", Value::separate, Use::noted},
    {"-gencode", "--generate-code", Value::separate, Use::noted},
    {"-code", "--gpu-code", Value::separate, Use::noted},
    {"-lineinfo", "--generate-line-info", Value::none, Use::noted},
    {"-use_fast_math", "--use_fast_math", Value::none, Use::noted},
    {"-ftz", "--ftz", Value::separate, Use::noted},
    {"-prec-div", "--prec-div", Value::separate, Use::noted},
    {"-prec-sqrt", "--prec-sqrt", Value::separate, Use::noted},
    {"-fmad", "--fmad", Value::separate, Use::noted},
    {"-maxrregcount", "--maxrregcount", Value::separate, Use::noted},
    {"-Xptxas", "--ptxas-options", Value::separate, Use::noted},
    {"-Xnvlink", "--nvlink-options", Value::separate, Use::noted},
    {"-Xcudafe", "--Xcudafe", Value::separate, Use::noted},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", Value::none, Use::noted},
    {"-expt-extended-lambda", "--expt-extended-lambda", Value::none, Use::noted},
    {"-extended-lambda", "--extended-lambda", Value::none, Use::noted},
    {"-restrict", "--restrict", Value::none, Use::noted},
    {"-extra-device-vectorization", "--extra-device-vectorization", Value::none, Use::noted},
    {"-dopt", "--dopt", Value::separate, Use::noted},
    {"-dlto", "--dlink-time-opt", Value::none, Use::noted},
    {"-res-usage", "--resource-usage", Value::none, Use::noted},
    {"-src-in-ptx", "--source-in-ptx", Value::none, Use::noted},
    {"-default-stream", "--default-stream", Value::separate, Use::noted},
    {"-cudart", "--cudart", Value::separate, Use::noted},
    {"-cudadevrt", "--cudadevrt", Value::separate, Use::noted},
    {"-t", "--threads", Value::separate, Use::noted},
    {"-split-compile", "--split-compile", Value::separate, Use::noted},
    {"-diag-suppress", "--diag-suppress", Value::separate, Use::noted},
    {"-diag-error", "--diag-error", Value::separate, Use::noted},
    {"-diag-warn", "--diag-warn", Value::separate, Use::noted},
    {"-Werror", "--Werror", Value::separate, Use::noted},
    {"-Wreorder", "--Wreorder", Value::none, Use::noted},
    {"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", Value::none, Use::noted},
    {"-Wno-deprecated-declarations", "--Wno-deprecated-declarations", Value::none, Use::compile},
    {"-Wdefault-stream-launch", "--Wdefault-stream-launch", Value::none, Use::noted},
    {"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", Value::none, Use::noted},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", Value::none, Use::noted},
    {"-keep", "--keep", Value::none, Use::noted},
    {"-keep-dir", "--keep-dir", Value::separate, Use::noted},
    {"-clean", "--clean-targets", Value::none, Use::noted},
    {"-err-no", "--display-error-number", Value::none, Use::noted},
    {"-no-err-no", "--no-display-error-number", Value::none, Use::noted},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", Value::none, Use::driver},
    {"-forward-unknown-opts", "--forward-unknown-opts", Value::none, Use::driver},

    // What cannot be had.
    {"-ptx", "--ptx", Value::none, Use::refused, kMachineCode},
    {"-cubin", "--cubin", Value::none, Use::refused, kMachineCode},
    {"-fatbin", "--fatbin", Value::none, Use::refused, kMachineCode},
    {"-ltoir", "--ltoir", Value::none, Use::refused, kMachineCode},
    {"-optix-ir", "--optix-ir", Value::none, Use::refused, kMachineCode},
    {"-cuda", "--cuda", Value::none, Use::refused, "NVIDIA's own intermediate files are made by its nvcc alone"},
    {"-dlink", "--device-link", Value::none, Use::driver},
    {"-optf", "--options-file", Value::separate, Use::refused, "write its options on the command line"},
    {"-dryrun", "--dryrun", Value::none, Use::refused, "-v shows the commands as they run"},
    {"-run", "--run", Value::none, Use::refused, "`lanework run` builds a program and runs it"},
};

}  // namespace

std::span<const NvccOption> nvcc_options() { return kOptions; }

}  // namespace lanework
