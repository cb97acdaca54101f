// The compiler that programs are built with, and what is said where it, or Lanework, refuses one.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

TEST(Run, PointsAtTheLineOfAMistakeAndAtNothingOfOurs) {
    const Folder folder;
    folder.write("broken.cu", "__global__ void kernel(int* data) {\n    data[0] = undeclared;\n}\nint main() {}\n");
    const Said run = in(folder, "run broken.cu");
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(contains(run.err, "broken.cu:2:15: error: ")) << run.err;
    EXPECT_FALSE(contains(run.err, folder.string())) << run.err;
    EXPECT_FALSE(contains(run.err, ".cu.cpp")) << run.err;
    EXPECT_FALSE(contains(run.err, "lanework_simt")) << run.err;
}

TEST(Run, PointsAtTheLaunchWhoseArgumentsAreWrong) {
    const Folder folder;
    for (const std::string& compiler : compilers()) {
        for (const std::string launch :
             {"kernel<<<1, 32>>>(data, 1, 2)", "kernel<<<1, 32>>>(data)", "kernel<<<1, 32>>>(1.5f, data)",
              "made<int><<<1, 32>>>(data)", "made<<<1, 32>>>(data, 1.5)"}) {
            folder.write("a.cu",
                         "__global__ void kernel(int* data, int n) { data[0] = n; }\n"
                         "template <class T> __global__ void made(T* data, T n) { data[0] = n; }\n"
                         "int main() {\n    int* data = nullptr;\n" +
                             launch + ";\n}\n");
            const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler + "; lanework run a.cu");
            EXPECT_EQ(run.status, 3);
            EXPECT_TRUE(run.err.starts_with("a.cu:5:") && contains(run.err.substr(0, run.err.find('\n')), "error: "))
                << run.err;
            EXPECT_FALSE(contains(run.err, "launch.hpp")) << run.err;
        }
    }
}

TEST(Run, PointsAtTheLineOfASharedVariableThatCannotBe) {
    const Folder folder;
    folder.write("broken.cu", "int main() {\n    <<<1, 2>>>(3);\n}\n");
    const Said run = in(folder, "run broken.cu");
    EXPECT_EQ(run.status, 3);
    EXPECT_TRUE(contains(run.err, "broken.cu:2:")) << run.err;
}

TEST(Run, SaysWhatAProgramLacksThatDoesNotLink) {
    const Folder folder;
    folder.write("kernel.cu", "__global__ void kernel(int* data) { data[0] = 1; }\n");
    const Said alone = in(folder, "run kernel.cu");
    EXPECT_EQ(alone.status, 3);
    EXPECT_TRUE(contains(alone.err, "lanework: kernel does not link: it has no main; name the file that has it, or"))
        << alone.err;
    folder.write(
        "main.cu",
        "__global__ void kernel(int* data);\nint more();\nint main() { kernel<<<1, 1>>>(nullptr); return more(); "
        "}\n");
    const Said parts = in(folder, "run main.cu");
    EXPECT_EQ(parts.status, 3);
    EXPECT_TRUE(contains(parts.err, "main.cu:3: undefined reference")) << parts.err;
    EXPECT_TRUE(contains(parts.err, "lanework: main does not link: it has no kernel(int*) and no more(); name"))
        << parts.err;
    EXPECT_FALSE(contains(parts.err, "launch.hpp")) << "a line of ours: " << parts.err;
    EXPECT_TRUE(contains(in(folder, "run main.cu kernel.cu").err, "none of its files has more(); name"));
}

TEST(Run, NamesWhatTwoFilesDefineAlike) {
    const Folder folder;
    for (const std::string file : {"a.cu", "b.cu"})
        folder.write(file, "__global__ void twin(int* data) { data[0] = 1; }\n" +
                               std::string(file == "a.cu" ? "int main() {}\n" : ""));
    for (const std::string& compiler : compilers()) {
        const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler + "; lanework run a.cu b.cu");
        EXPECT_EQ(run.status, 3);
        EXPECT_EQ(run.err,
                  "lanework: a does not link: a.cu and b.cu both define twin(int*); make what only its own file uses "
                  "static, or name one of the files\n");
    }
}

TEST(Run, ReadsWhatACompilerSaysWhateverTheUsersLanguage) {
    const Folder folder;
    folder.write("main.cu", "int main() {}\n");
    folder.write("g++",
                 "#!/bin/sh\nfor word; do [ \"$word\" = --version ] && echo g++ && exit 0; done\n"
                 "echo \"error: $LC_ALL,$LC_MESSAGES,$LC_CTYPE\" >&2; exit 1\n");
    const std::string at = "cd '" + folder.string() + "'; chmod +x g++; export CXX=$PWD/g++; ";
    EXPECT_TRUE(contains(shell(at + "LC_ALL=de_DE.UTF-8 lanework run main.cu").err, "error: ,C,de_DE.UTF-8\n"));
    EXPECT_TRUE(
        contains(shell(at + "unset LC_ALL LC_CTYPE; LANG=de_DE.UTF-8 LC_MESSAGES=de_DE lanework run main.cu").err,
                 "error: ,C,de_DE.UTF-8\n"));
}

TEST(Run, SaysWhichCcclItTakes) {
    const Folder folder;
    folder.write("a.cu", "#include <cub/util_arch.cuh>\nint main() {}\n");
    const auto with = [&](const std::string& version, const std::string& file) {
        return shell("cd '" + folder.string() +
                     "'; mkdir -p cccl/thrust cccl/cub cccl/cuda cccl/nv; echo '#define CUB_VERSION " + version +
                     "' > cccl/cub/version.cuh; LANEWORK_CCCL=cccl lanework run " + file)
            .err;
    };
    EXPECT_EQ(
        with("200700", "a.cu"),
        "lanework: cccl, which the variable LANEWORK_CCCL names, is CCCL 2.7.0; programs need 2.8.0 or newer: CUDA "
        "12.9 and newer have it, and so has `pip install nvidia-cuda-cccl==13.0.85`\n");
    EXPECT_EQ(with("300400", "a.cu"),
              "a.cu:1: error: cub: CUB of CCCL 3.4 or newer is not available on the simt device: `pip install "
              "nvidia-cuda-cccl==13.0.85` brings one that is\nlanework: a.cu does not compile\n");
    const std::pair<const char*, const char*> parts[] = {
        {"device/dispatch/tuning/tuning_transform.cuh", "DeviceTransform"},
        {"block/block_load_to_shared.cuh", "BlockLoadToShared"}};
    for (const auto& [header, part] : parts) {
        folder.write("b.cu", std::string("#include <cub/") + header + ">\nint main() {}\n");
        const std::string said = with("300200", "b.cu");
        EXPECT_TRUE(said.starts_with(std::string("b.cu:1: error: cub: ") + part + ", which")) << said;
        EXPECT_TRUE(said.ends_with("\nlanework: b.cu does not compile\n")) << said;
        EXPECT_EQ(std::ranges::count(said, '\n'), 2) << said;
    }
    folder.write("c.cu", "#include <thrust/detail/config.h>\nint main() {}\n");
    const std::string old =
        shell("cd '" + folder.string() +
              "'; mkdir -p old/thrust; echo '#define THRUST_VERSION 200302' > old/thrust/version.h; "
              "lanework run c.cu -Iold")
            .err;
    EXPECT_TRUE(old.starts_with("c.cu:1: error: thrust: Thrust older than 2.8 is not available")) << old;
    EXPECT_EQ(
        shell("cd '" + folder.string() + "'; rm -r cccl/nv; LANEWORK_CCCL=cccl lanework run a.cu").err,
        "lanework: cccl, which the variable LANEWORK_CCCL names, has no folders thrust, cub, cuda and nv of CCCL\n");
}

TEST(Run, SaysWhereWhatAFileLacksComesFrom) {
    const Folder folder;
    const auto last_line = [&](const std::string& text) {
        folder.write("a.cu", text);
        std::string said = in(folder, "run a.cu").err;
        if (!said.empty()) said.pop_back();
        return said.substr(said.rfind('\n') + 1);
    };
    EXPECT_EQ(last_line("#include <helper_cuda.h>\nint main() {}\n"),
              "lanework: a.cu does not compile; helper_cuda.h is part of cuda-samples; add -I with its folder Common");
    EXPECT_EQ(
        last_line("#include <cutil_inline.h>\nint main() {}\n"),
        "lanework: a.cu does not compile; cutil_inline.h came with NVIDIA's SDK for CUDA 4 and older: -I names its "
        "folder");
    EXPECT_TRUE(contains(last_line("#include <torch/extension.h>\nint main() {}\n"),
                         "lanework: a.cu does not compile; torch/extension.h is PyTorch's: -I"));
    EXPECT_EQ(last_line("#include \"mine.h\"\nint main() {}\n"), "lanework: a.cu does not compile");
    EXPECT_EQ(
        last_line("#include <span>\nint main() { int a[2]; std::span s(a); }\n"),
        "lanework: a.cu does not compile; it is compiled as C++17, and includes <span>, of C++20; -std=c++20 asks for "
        "it");
    EXPECT_EQ(last_line("// #include <span>\n#include \"mine.h\"\nint main() {}\n"), "lanework: a.cu does not compile")
        << "a comment includes nothing";
    EXPECT_EQ(last_line("#  include  <mdspan>\nint main() {}\n"),
              "lanework: a.cu does not compile; this compiler has no <mdspan>, of C++23: a newer one has");
    EXPECT_EQ(last_line("#include \"common/helper_math.h\"\nint main() {}\n"), "lanework: a.cu does not compile")
        << "a file of the program's";
    EXPECT_EQ(last_line("%%writefile a.cu\nint main() {}\n"),
              "lanework: a.cu does not compile; remove its first line, which is a notebook's command");
    EXPECT_TRUE(contains(last_line("\xFF\xFEi"), "a.cu"));
    EXPECT_TRUE(contains(in(folder, "run a.cu").err, "a.cu: error: is written in UTF-16; compilers read UTF-8"));
}

TEST(Run, SaysFirstWhatStandsInPlaceOfTextureReferences) {
    const Folder folder;
    folder.write("a.cu",
                 "texture<float, 2, cudaReadModeElementType> image;\n"
                 "surface<void, 2> out;\n"
                 "__global__ void k(float* p) { p[0] = tex2D(image, 0.5f, 0.5f); }\n"
                 "int main() { k<<<1, 1>>>(nullptr); }\n");
    const Said run = in(folder, "run a.cu");
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.err.substr(0, run.err.find("error:")), "a.cu:1:1: ") << run.err;
    EXPECT_TRUE(contains(run.err,
                         "texture references (texture<…> at file scope) went with CUDA 12 and are refused: make "
                         "a texture object with cudaCreateTextureObject"))
        << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu:2:1: error: surface references")) << run.err;
    EXPECT_FALSE(contains(run.err, "not declared")) << "what follows from that: " << run.err;
    folder.write("a.cu", "texture image;\nint main() {}\n");
    EXPECT_FALSE(contains(in(folder, "run a.cu").err, "CUDA 12")) << "somebody's own";
}

TEST(Run, NamesCheckWhereAKernelOrTheHostBehindItCrashes) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[threadIdx.x * 1000000000l] = 1; }"));
    const Said kernel = in(folder, "run a.cu");
    const std::string names = "lanework: `lanework check` names the access, and the array that it missed\n";
    EXPECT_TRUE(contains(kernel.err, names)) << kernel.err;
    for (const char* other :
         {"assert(data == nullptr);", "if (threadIdx.x == 0) data[2] = data[3] / data[1];",
          "int a[1 << 20]; for (int i = 0; i < 1 << 20; ++i) a[data[0] + i] = i; data[0] = a[data[1]];"}) {
        folder.write("a.cu", program_with(std::string("#include <cassert>\n__global__ void kernel(int* data) { ") +
                                          other + " }"));
        const Said failed = in(folder, "run a.cu");
        EXPECT_TRUE(contains(failed.err, "lanework: ")) << failed.err;
        EXPECT_FALSE(contains(failed.err, "lanework check")) << "no access is wrong: " << failed.err;
    }
    folder.write("a.cu", program_with(kClean, "kernel<<<2, 32>>>(data); cudaDeviceSynchronize(); std::abort();"));
    const Said host = in(folder, "run a.cu");
    EXPECT_EQ(host.status, 128 + SIGABRT);
    EXPECT_TRUE(
        contains(host.err, "lanework: the program aborted after it had launched kernels; `lanework check` tells "))
        << host.err;
    folder.write("a.cu",
                 program_with(kClean, "kernel<<<2, 32>>>(data); cudaDeviceSynchronize(); *(volatile int*)8 = 1;"));
    const Said crash = in(folder, "run a.cu");
    EXPECT_EQ(crash.status, 128 + SIGSEGV);
    EXPECT_TRUE(contains(crash.err, "lanework: the program crashed on the host after it had launched kernels"))
        << crash.err;
    folder.write("a.cu", "#include <cstdlib>\nint main() { std::abort(); }\n");
    EXPECT_FALSE(contains(in(folder, "run a.cu").err, "lanework check")) << "no kernel was launched";
}

TEST(Run, EndsByASignalThatIsSent) {
    const Folder folder;
    for (const auto& [name, number] :
         {std::pair("SIGSEGV", SIGSEGV), std::pair("SIGBUS", SIGBUS), std::pair("SIGABRT", SIGABRT)}) {
        folder.write("a.cu", "#include <csignal>\n" +
                                 program_with(kClean, "kernel<<<2, 32>>>(data); cudaDeviceSynchronize(); std::raise(" +
                                                          std::string(name) + ");"));
        const Said run = in(folder, "run a.cu");
        EXPECT_EQ(run.status, 128 + number) << name;
        EXPECT_FALSE(contains(run.err, "crashed")) << run.err;
    }
}

TEST(Check, CallsAProgramByItsFirstFileWhateverOptionsAreBeforeIt) {
    const Folder folder;
    folder.write("clean.cu", program_with(kClean));
    const Said check = in(folder, "check -std c++17 -I . clean.cu");
    EXPECT_EQ(check.status, 0) << check.err;
    EXPECT_TRUE(contains(check.err, "clean.cu: no findings")) << check.err;
}

TEST(Run, SaysInOneLineThatThereIsNoCompiler) {
    const Folder folder;
    folder.write("a.cu", "int main() {}\n");
    for (const char* where : {"PATH=/nowhere CXX=", "CXX=/nowhere/g++"}) {
        const Said run = shell("cd '" + folder.string() + "'; env " + where + " '" LANEWORK_BINARY "' run a.cu");
        EXPECT_EQ(run.status, 77) << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        EXPECT_TRUE(contains(run.err, "compiler") || contains(run.err, "g++ or clang++")) << run.err;
    }
}

TEST(Run, TakesAWrapperForTheCompilerThatItRuns) {
    const Folder folder;
    folder.write("a.cu", "int main() { return 5; }\n");
    for (const std::string runs : {"g++", "clang++"}) {
        if (shell("command -v " + runs).status != 0) continue;
        for (const std::string called : {"g++", "clang++", "c++"}) {
            folder.write(called, "#!/bin/sh\nexec " + runs + " \"$@\"\n");
            const Said run = shell("cd '" + folder.string() + "'; chmod +x " + called + "; export CXX=$PWD/" + called +
                                   "; lanework check a.cu");
            EXPECT_EQ(run.status, 5) << called << " runs " << runs << "\n" << run.err;
        }
    }
}

TEST(Run, RefusesByNameWhatItCannotDo) {
    const Folder folder;
    folder.write("a.cu", "int main() {}\n");
    const auto refused = [&](const std::string& words, const std::string& message) {
        const Said run = in(folder, words);
        EXPECT_EQ(run.status, 2) << words << "\n" << run.err;
        EXPECT_TRUE(contains(run.err, message)) << words << "\n" << run.err;
    };
    refused("run", "name a program");
    refused("run a.cu -ptx", "-ptx: machine code for GPUs");
    refused("run a.cu --maxregcount=3", "--maxregcount=3 is not known here; did you mean --maxrregcount?");
    refused("run a.cu -c", "`lanework cc` makes objects");
    refused("run a.cu -lcufft", "-lcufft: the simt device has no cuFFT");
    refused("run a.cu -o", "-o needs a value");
    EXPECT_EQ(in(folder, "run missing.cu").status, 6);
}

TEST(Run, SaysWhatIsWrongWithAFileThatIsNoneOfAProgram) {
    const Folder folder;
    const std::string program = program_with(kClean);
    for (const char* name : {"a.cu", "b.cpp", "c.cuh"}) folder.write(name, program);
    const auto says = [&](const std::string& words, int status, const std::string& message) {
        const Said run = in(folder, words);
        EXPECT_EQ(run.status, status) << words << "\n" << run.err;
        EXPECT_TRUE(contains(run.err, message)) << words << "\n" << run.err;
    };
    says("run a.cu 1000", 6, "1000: there is no such file; the program's own arguments follow --");
    says("run .", 6, ".: is a folder");
    folder.write("k.ptx", ".version 8.0\n");
    says("run k.ptx", 6, "k.ptx: is no source, object or library by its ending; it holds code for a GPU: name the .cu");
    says("explain k.ptx", 6, "k.ptx: is no source, object or library by its ending; it holds code for a GPU");
    folder.write("k.py", "import triton\n");
    says("explain k.py", 6, "k.py: is no source, object or library by its ending; put its CUDA code into a .cu file");
    says("run c.cuh", 6, "c.cuh: is no source, object or library by its ending; -x cu c.cuh");
    says("run b.cpp", 3, "b.cpp does not compile; it has kernels of CUDA: name it .cu, or put -x cu before it");
    says("run -x cu b.cpp", 0, "");
    says("run -x cu c.cuh", 0, "");
}

}  // namespace
}  // namespace lanework
