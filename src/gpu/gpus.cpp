// The published figures. Peak rates follow from them: FP32 lanes × 2 × clock × SMs is each datasheet's FP32 figure.
//
// Sources:
// - H200, H100: https://www.nvidia.com/en-us/data-center/h200/ and /h100/ (bandwidth, 67 TFLOP/s FP32, 34 FP64: a boost
//   clock of 1.98 GHz); SMs and L2: "NVIDIA H100 Tensor Core GPU Architecture",
//   https://resources.nvidia.com/en-us-tensor-core/gtc22-whitepaper-hopper. An H200's driver says 60 MiB and 1980 MHz
//   (results/h200/devices.json).
// - A100:
// https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf
//   and https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/nvidia-ampere-architecture-whitepaper.pdf
// - L40S, L4: https://www.nvidia.com/en-us/data-center/l40s/ (91.6 TFLOP/s: 2.52 GHz) and /l4/ (30.3: 2.04 GHz);
//   RTX 4090, and L2 of Ada: "NVIDIA Ada GPU Architecture",
//   https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf
// - RTX 3090: https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf
// - RTX 5090: https://images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf
// - T4:
// https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/technologies/turing-architecture/NVIDIA-Turing-Architecture-Whitepaper.pdf
// - B200: https://www.nvidia.com/en-us/data-center/dgx-b200/ (64 TB/s of eight GPUs); SMs, clock and L2 are not in it:
//   https://chipsandcheese.com/p/nvidias-b200-keeping-the-cuda-juggernaut (148 SMs, 1.965 GHz, 126 MiB).
// - Memory and the width of its bus: the same pages and papers, gigabytes taken as binary. An H200's driver says
//   150 GB and 6016 bits (results/h200/devices.json).
// - What a kernel takes that does nothing: on a host with an H200 and one with an H100 the median of seven each, of the
//   half that may be looked at of results/h200/program-times.json and results/h100/program-times.json. The GPUs have
//   the same SM: what differs may be the hosts' drivers and versions of Nsight Compute. The other GPUs have the H100's.
// - Links are half of what these pages and papers say for both directions: PCIe 3.0 x16 32 GB/s, 4.0 64, 5.0 128.
#include "src/gpu/gpus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <lanework/error.hpp>
#include <string>
#include <vector>

namespace lanework {
namespace {

constexpr double kGiga = 1e9, kTera = 1e12;
constexpr std::uint64_t kMebi = std::uint64_t{1} << 20, kGibi = std::uint64_t{1} << 30;

constexpr Gpu kGpus[] = {
    {"h200", "NVIDIA H200 SXM", 90, 132, 1.98 * kGiga, 4.8 * kTera, 60 * kMebi, "NVIDIA H200", 64 * kGiga,
     150'109'880'320, 6016, 1.46e-6},
    {"h100", "NVIDIA H100 SXM", 90, 132, 1.98 * kGiga, 3.35 * kTera, 50 * kMebi, "NVIDIA H100 80GB HBM3", 64 * kGiga,
     80 * kGibi, 5120},
    {"b200", "NVIDIA B200", 100, 148, 1.965 * kGiga, 8.0 * kTera, 126 * kMebi, "NVIDIA B200", 0, 180 * kGibi, 8192},
    {"a100", "NVIDIA A100 80GB SXM", 80, 108, 1.41 * kGiga, 2.039 * kTera, 40 * kMebi, "NVIDIA A100-SXM4-80GB",
     32 * kGiga, 80 * kGibi, 5120},
    {"l40s", "NVIDIA L40S", 89, 142, 2.52 * kGiga, 0.864 * kTera, 96 * kMebi, "NVIDIA L40S", 32 * kGiga, 48 * kGibi,
     384},
    {"l4", "NVIDIA L4", 89, 58, 2.04 * kGiga, 0.3 * kTera, 48 * kMebi, "NVIDIA L4", 32 * kGiga, 24 * kGibi, 192},
    {"t4", "NVIDIA T4", 75, 40, 1.59 * kGiga, 0.32 * kTera, 4 * kMebi, "Tesla T4", 16 * kGiga, 16 * kGibi, 256},
    {"rtx5090", "NVIDIA GeForce RTX 5090", 120, 170, 2.407 * kGiga, 1.792 * kTera, 96 * kMebi,
     "NVIDIA GeForce RTX 5090", 64 * kGiga, 32 * kGibi, 512},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 89, 128, 2.52 * kGiga, 1.008 * kTera, 72 * kMebi, "NVIDIA GeForce RTX 4090",
     32 * kGiga, 24 * kGibi, 384},
    {"rtx3090", "NVIDIA GeForce RTX 3090", 86, 82, 1.695 * kGiga, 0.936 * kTera, 6 * kMebi, "NVIDIA GeForce RTX 3090",
     32 * kGiga, 24 * kGibi, 384},
};

// Results per clock and SM of a 64-bit multiply-add: CUDA C++ Programming Guide, "Arithmetic Instructions".
int double_precision_per_clock(int capability) {
    switch (capability) {
        case 80: return 32;
        case 90:
        case 100: return 64;
        default: return 2;
    }
}

constexpr int kIntegersPerClock = 64;  // 32-bit multiply-adds, every capability since 7.5; the same table
constexpr int kLongIntegerCost = 4;    // 32-bit multiply-adds in a 64-bit one

// Results per clock and SM of a 16-bit floating-point multiply-add, two at a time: the same table, and the white
// papers, which give FP16 without tensor cores 78 TFLOP/s on an A100, 134 on an H100, and as many as FP32 on GeForce
// cards.
int half_precision_per_clock(int capability, DType dtype) {
    switch (capability) {
        case 80: return dtype == DType::bfloat16 ? 128 : 256;
        case 90:
        case 100: return 256;
        default: return 128;
    }
}

// Multiply-adds per clock and SM by tensor cores, 16-bit elements summed in float, dense: the white papers, which give
// 312 TFLOP/s for an A100, 989 for an H100, 309.7 for an RTX A6000. (GeForce cards have half of that where sums are
// floats.)
int matrix_products_per_clock(int capability) {
    switch (capability) {
        case 80: return 1024;
        case 86:
        case 89: return 512;
        case 90: return 2048;
        default: return 0;
    }
}

/// How many times as many products of this type tensor cores compute as of 16-bit elements, by the same papers.
double share_of_matrix_products(int capability, DType dtype) {
    switch (dtype) {
        case DType::float16:
        case DType::bfloat16: return 1;
        case DType::tfloat32: return 0.5;
        case DType::int8: return 2;
        case DType::float8_e4m3: return capability >= 89 ? 2 : 0;
        default: return 0;
    }
}

constexpr int kBanks = 32, kBankBytes = 4;  // of shared memory, per clock and SM: every capability since 5.0

// "RTX 4090" → "rtx4090".
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}  // namespace

int Gpu::multiply_adds_per_clock(DType dtype) const {
    const std::string_view type = name_of(dtype);
    const bool floating = type.find("float") != type.npos;
    if (!floating)
        return size_of(dtype) == sizeof(std::uint64_t) ? kIntegersPerClock / kLongIntegerCost : kIntegersPerClock;
    if (size_of(dtype) == sizeof(double)) return double_precision_per_clock(capability);
    const bool halves = dtype == DType::float16 || dtype == DType::bfloat16;
    return halves ? half_precision_per_clock(capability, dtype) : limits().fp32_cores;
}

double Gpu::peak_flops(DType dtype) const { return 2.0 * sms * multiply_adds_per_clock(dtype) * clock_hz; }

double Gpu::peak_matrix_flops(DType dtype) const {
    return 2.0 * sms * matrix_products_per_clock(capability) * share_of_matrix_products(capability, dtype) * clock_hz;
}

double Gpu::peak_shared_bandwidth() const { return 1.0 * kBanks * kBankBytes * sms * clock_hz; }

double Gpu::memory_clock_hz() const { return memory_bandwidth / (2.0 * memory_bus_bits / 8); }

std::span<const Gpu> gpus() { return kGpus; }

const Gpu* find_gpu(std::string_view driver_name) {
    for (const Gpu& gpu : kGpus)
        if (gpu.driver_name == driver_name) return &gpu;
    return nullptr;
}

const Gpu& parse_gpu(std::string_view text) {
    std::vector<std::string_view> known;
    for (const Gpu& gpu : kGpus) {
        if (gpu.name == plain(text)) return gpu;
        known.push_back(gpu.name);
    }
    throw UsageError(fmt::format("there are no figures for a GPU `{}`; there are: {}", text, fmt::join(known, ", ")));
}

}  // namespace lanework
