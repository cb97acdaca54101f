// Line by line, as ptxas_report.cpp.
//   		Function : _Z3sumPKi
//   	.headerflags	@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
//           /*0010*/                   S2R R5, SR_CTAID.X ;                    /* 0x0000000000057919 */
//                                                                              /* 0x000e2e0000002500 */
#include "src/gpu/kernel_code.hpp"

#include <algorithm>

namespace lanework {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(kBlanks);
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

template <class See>
void for_each_line(std::string_view text, See see) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        see(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// "/*0010*/   S2R R5, SR_CTAID.X ;   /* 0x… */" → "0010  S2R R5, SR_CTAID.X"; empty for a line that is none.
std::string sass_instruction(std::string_view line) {
    constexpr std::string_view kOpen = "/*", kClose = "*/";
    if (!line.starts_with(kOpen)) return {};
    const auto close = line.find(kClose);
    if (close == line.npos) return {};
    const std::string_view address = line.substr(kOpen.size(), close - kOpen.size());
    if (address.find_first_not_of("0123456789abcdef") != address.npos) return {};
    line.remove_prefix(close + kClose.size());
    const std::string_view instruction = trimmed(line.substr(0, line.find(';')));
    if (instruction.empty()) return {};
    return std::string(address) + "  " + std::string(instruction);
}

// Behind its end, code is filled up: a branch to itself, which no thread reaches, and instructions that do nothing.
void remove_padding(std::vector<std::string>& lines) {
    while (!lines.empty() && lines.back().ends_with("  NOP")) lines.pop_back();
    if (lines.empty()) return;
    const std::string& last = lines.back();
    const auto address = last.find_first_not_of('0');
    const std::string itself = "0x" + last.substr(address, last.find(' ') - address);
    if (last.substr(last.find(' ')) == "  BRA " + itself) lines.pop_back();
}

class PtxReader {
public:
    void read(std::string_view line) {
        if (line.starts_with(".target ")) {
            target_ = line.substr(std::string_view(".target ").size());
            target_ = target_.substr(0, target_.find_first_of(", "));
        } else if (const auto entry = line.find(".entry "); depth_ == 0 && entry != line.npos) {
            line.remove_prefix(entry + std::string_view(".entry ").size());
            kernel_ = {std::string(line.substr(0, line.find_first_of("( "))), target_, {}};
            in_kernel_ = true;
        } else if (in_kernel_) {
            read_of_kernel(line);
        }
    }

    std::vector<KernelCode> kernels() && { return std::move(kernels_); }

private:
    static bool is_for_debuggers(std::string_view line) {
        return line.starts_with(".loc") || line.starts_with("//") || line.starts_with("$L__tmp") ||
               line.starts_with("$L__func_begin") || line.starts_with("$L__func_end");
    }

    void read_of_kernel(std::string_view line) {
        const bool was_open = depth_ > 0;
        depth_ += static_cast<int>(std::ranges::count(line, '{') - std::ranges::count(line, '}'));
        if (was_open && depth_ == 0) return finish();
        if (!was_open || line.empty() || is_for_debuggers(line)) return;
        kernel_.lines.emplace_back(line);
    }

    void finish() {
        in_kernel_ = false;
        const bool known = std::ranges::any_of(kernels_, [&](const KernelCode& other) {
            return other.symbol == kernel_.symbol && other.target == kernel_.target;
        });
        if (!known) kernels_.push_back(std::move(kernel_));
    }

    std::string target_;
    KernelCode kernel_;
    int depth_ = 0;
    bool in_kernel_ = false;
    std::vector<KernelCode> kernels_;
};

}  // namespace

std::vector<KernelCode> parse_sass(std::string_view text) {
    constexpr std::string_view kTarget = "code for ", kFunction = "Function : ";
    std::vector<KernelCode> kernels;
    std::string target;
    for_each_line(text, [&](std::string_view line) {
        if (line.starts_with(kTarget))
            target = line.substr(kTarget.size());
        else if (line.starts_with(kFunction))
            kernels.push_back({std::string(line.substr(kFunction.size())), target, {}});
        else if (std::string instruction = sass_instruction(line); !instruction.empty() && !kernels.empty())
            kernels.back().lines.push_back(std::move(instruction));
    });
    for (KernelCode& kernel : kernels) remove_padding(kernel.lines);
    return kernels;
}

std::vector<KernelCode> parse_ptx(std::string_view text) {
    PtxReader reader;
    for_each_line(text, [&](std::string_view line) { reader.read(line); });
    return std::move(reader).kernels();
}

}  // namespace lanework
