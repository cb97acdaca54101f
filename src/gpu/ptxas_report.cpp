// Line by line: the entry that is compiled, its stack and spills, then all else that it uses.
//   ptxas info    : Compiling entry function '_Z3sumPKi' for 'sm_90'
//   ptxas info    : Function properties for _Z3sumPKi
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 4224 bytes smem, 380 bytes cmem[0]
#include "src/gpu/ptxas_report.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lanework {
namespace {

// The text between `before` and the next `after`; empty where they are not.
std::string_view between(std::string_view line, std::string_view before, std::string_view after) {
    const auto start = line.find(before);
    if (start == line.npos) return {};
    line.remove_prefix(start + before.size());
    const auto end = line.find(after);
    return end == line.npos ? std::string_view{} : line.substr(0, end);
}

int number(std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

// The number that stands before `unit`; 0 where the line does not name it.
int amount(std::string_view line, std::string_view unit) {
    const auto end = line.find(unit);
    if (end == line.npos) return 0;
    const auto start = line.find_last_not_of("0123456789", end - 1);
    return number(line.substr(start == line.npos ? 0 : start + 1, end));
}

// The sum of the numbers that stand before `unit`, wherever the line has it; kNotTold where it does not.
int sum_of_amounts(std::string_view line, std::string_view unit) {
    int sum = line.find(unit) == line.npos ? kNotTold : 0;
    for (auto at = line.find(unit); at != line.npos; at = line.find(unit)) {
        sum += amount(line, unit);
        line.remove_prefix(at + unit.size());
    }
    return sum;
}

class Reader {
public:
    void read(std::string_view line) {
        if (line.find("Compiling entry function") != line.npos) {
            kernels_.push_back({.symbol = std::string(between(line, "function '", "'")),
                                .capability = number(between(line, "for 'sm_", "'"))});
            own_properties_ = false;
        } else if (kernels_.empty()) {
            return;
        } else if (const auto at = line.find(kProperties); at != line.npos) {
            own_properties_ = line.substr(at + kProperties.size()) == kernels_.back().symbol;
        } else if (line.find(" bytes stack frame") != line.npos) {
            read_stack(line);
        } else if (line.find(": Used ") != line.npos) {
            read_use(line);
        }
    }

    std::vector<PtxasKernel> kernels() && { return std::move(kernels_); }

private:
    static constexpr std::string_view kProperties = "Function properties for ";

    // Functions that were not inlined have properties of their own.
    void read_stack(std::string_view line) {
        if (!own_properties_) return;
        PtxasKernel& kernel = kernels_.back();
        kernel.stack_bytes = amount(line, " bytes stack frame");
        kernel.spill_store_bytes = amount(line, " bytes spill stores");
        kernel.spill_load_bytes = amount(line, " bytes spill loads");
    }

    void read_use(std::string_view line) {
        PtxasKernel& kernel = kernels_.back();
        kernel.registers = amount(line, " registers");
        kernel.barriers = amount(line, " barriers");
        kernel.static_shared_bytes = amount(line, " bytes smem");
        kernel.constant_bytes = sum_of_amounts(line, " bytes cmem[");
    }

    std::vector<PtxasKernel> kernels_;
    bool own_properties_ = false;
};

}  // namespace

std::vector<PtxasKernel> parse_ptxas_report(std::string_view text) {
    Reader reader;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(reader).kernels();
}

}  // namespace lanework
