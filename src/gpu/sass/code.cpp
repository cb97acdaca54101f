// Section by section, line by line.
//   	.section	.nv.info._Z3sumPKi,"",@"SHT_CUDA_INFO"
//   	//----- nvinfo : EIATTR_KPARAM_INFO
//           /*0010*/ 	.short	0x0005
//   	.section	.text._Z3sumPKi,"ax",@progbits
//   	//## File "/home/me/sum.cu", line 14 inlined at "/home/me/sum.cu", line 30
//   .L_x_3:
//           /*0430*/              @!P1 LDG.E R10, desc[UR8][R8.64] ;
#include "src/gpu/sass/code.hpp"

#include <algorithm>
#include <charconv>

namespace lanework {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(kBlanks);
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::uint64_t number(std::string_view text) {
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
}

/// The text between two marks, or nothing.
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
    const auto begin = text.find(open);
    if (begin == text.npos) return {};
    text.remove_prefix(begin + open.size());
    const auto end = text.find(close);
    return end == text.npos ? std::string_view{} : text.substr(0, end);
}

/// What a data directive puts into its section: ".short 0x0005" is two bytes.
void append_data(std::string_view line, std::vector<std::uint8_t>& bytes) {
    struct Directive {
        std::string_view name;
        unsigned bytes;
    };
    constexpr Directive kDirectives[] = {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}};
    if (line.starts_with(".zero")) {
        bytes.resize(bytes.size() + number(trimmed(line.substr(5))));
        return;
    }
    for (const Directive& directive : kDirectives) {
        if (!line.starts_with(directive.name)) continue;
        line.remove_prefix(directive.name.size());
        while (!line.empty()) {
            const auto end = std::min(line.find(','), line.size());
            const std::uint64_t value = number(trimmed(line.substr(0, end)));
            for (unsigned i = 0; i < directive.bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
            line.remove_prefix(std::min(end + 1, line.size()));
        }
        return;
    }
}

std::uint32_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t at, unsigned count) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count && at + i < bytes.size(); ++i) value |= std::uint32_t{bytes[at + i]} << 8 * i;
    return value;
}

class Reader {
public:
    void read(std::string_view line) {
        if (line.starts_with(".target")) {
            target_ = trimmed(line.substr(7));
        } else if (line.starts_with("//--------------------- ")) {
            finish_attribute();
            section_ = trimmed(line.substr(24, line.find(" -", 24) - 24));
            open_section();
        } else if (text_) {
            read_code(line);
        } else if (section_.starts_with(".nv.info")) {
            read_attribute(line);
        } else if (section_.starts_with(".nv.shared.")) {
            data(line, shared_[section_.substr(11)]);
        } else if (section_.starts_with(".nv.constant2.")) {
            data(line, tables_[section_.substr(14)]);
        } else if (section_ == ".nv.constant3") {
            read_variables(line, constants_);
        } else if (section_ == ".nv.global" || section_ == ".nv.global.init") {
            read_variables(line, globals_);
        } else if (section_ == ".nv.constant4") {
            read_addresses(line);
        }
    }

    MachineCode finish() {
        finish_attribute();
        for (MachineKernel& kernel : code_.kernels) {
            kernel.target = target_;
            remove_padding(kernel);
            if (const auto found = attributes_.find(kernel.symbol); found != attributes_.end()) {
                kernel.parameters = found->second.parameters;
                kernel.parameter_base = found->second.parameter_base;
                kernel.registers = found->second.registers;
                kernel.stack_bytes = found->second.stack_bytes;
            }
            if (const auto found = shared_.find(kernel.symbol); found != shared_.end())
                kernel.shared_bytes = static_cast<std::uint32_t>(found->second.size());
            if (const auto found = tables_.find(kernel.symbol); found != tables_.end())
                for (const std::uint8_t byte : found->second) kernel.tables.push_back(static_cast<std::byte>(byte));
            kernel.symbol = without_unit(kernel.symbol);
        }
        const std::vector<MachineKernel> sections = code_.kernels;
        for (MachineKernel& kernel : code_.kernels) append_called(kernel, sections);
        code_.constants = constants_.finish();
        code_.globals = globals_.finish();
        return std::move(code_);
    }

private:
    /// What .nv.info says of a kernel.
    struct Attributes {
        std::vector<MachineParameter> parameters;
        std::uint32_t parameter_base = 0, registers = 0, stack_bytes = 0;
    };

    void open_section() {
        constexpr std::string_view kText = ".text.";
        text_ = section_.starts_with(kText);
        if (!text_) return;
        code_.kernels.push_back({});
        code_.kernels.back().symbol = section_.substr(kText.size());
        code_.kernels.back().places.emplace_back();
        place_.clear();
        fresh_place_ = true;
        labels_.clear();
    }

    // -- code ---------------------------------------------------------------------------------------------------

    void read_code(std::string_view line) {
        if (line.starts_with("//## File")) return read_place(line);
        if (line.ends_with(':') && line.find(' ') == line.npos) {
            labels_.emplace_back(line.substr(0, line.size() - 1));
            return;
        }
        if (!line.starts_with("/*")) return;
        const auto close = line.find("*/");
        if (close == line.npos) return;
        std::uint32_t address = 0;
        if (std::from_chars(line.data() + 2, line.data() + close, address, 16).ptr == line.data() + 2)
            return read_control(trimmed(line.substr(2, close - 2)));
        std::string_view text = trimmed(line.substr(close + 2));
        if (text.starts_with('{')) text = trimmed(text.substr(1));
        text = trimmed(text.substr(0, text.find(';')));
        if (!text.empty() && text.front() != '.') add_instruction(address, text);
    }

    /// "0x000fe20000000800", on a line of its own: the second half of the instruction before. Bits 41 to 44 hold how
    /// many clocks the warp then waits (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
    /// Microbenchmarking", 2018, 2.1; sm_90 has them there, too).
    void read_control(std::string_view word) {
        constexpr std::string_view kHex = "0x";
        std::vector<MachineInstruction>& instructions = code_.kernels.back().instructions;
        std::uint64_t bits = 0;
        if (instructions.empty() || !word.starts_with(kHex)) return;
        std::from_chars(word.data() + kHex.size(), word.data() + word.size(), bits, 16);
        instructions.back().stall = static_cast<std::uint8_t>(std::max<std::uint64_t>(1, bits >> 41 & 15));
    }

    void add_instruction(std::uint32_t address, std::string_view text) {
        MachineKernel& kernel = code_.kernels.back();
        for (const std::string& label : labels_) kernel.labels.emplace(label, address);
        labels_.clear();
        MachineInstruction instruction;
        instruction.address = address;
        if (text.starts_with('@')) {
            const auto end = text.find(' ');
            instruction.guard = text.substr(0, end);
            text = trimmed(text.substr(std::min(end, text.size())));
        }
        const auto end = std::min(text.find(' '), text.size());
        instruction.name = text.substr(0, end);
        instruction.operands = trimmed(text.substr(end, text.find("(*") - end));
        instruction.spill = text.find("\"Spill") != text.npos;
        instruction.place = current_place(kernel);
        kernel.instructions.push_back(std::move(instruction));
    }

    /// A line for the instruction's own place, and one more for each function that it was inlined into.
    void read_place(std::string_view line) {
        const auto of = [](std::string_view text) {
            const std::string_view file = between(text, "\"", "\"");
            const auto at = text.find("\", line ");
            std::string_view digits = at == text.npos ? std::string_view{} : text.substr(at + 8);
            return CodeLine{std::string(file), static_cast<int>(number(digits.substr(0, digits.find(' '))))};
        };
        if (fresh_place_) place_.clear();
        place_.push_back(of(line));
        fresh_place_ = line.find(" inlined at ") == line.npos;
    }

    std::uint32_t current_place(MachineKernel& kernel) {
        fresh_place_ = true;
        if (!kernel.instructions.empty() && kernel.places[kernel.instructions.back().place] == place_)
            return kernel.instructions.back().place;
        const auto at = static_cast<std::size_t>(std::ranges::find(kernel.places, place_) - kernel.places.begin());
        if (at == kernel.places.size()) kernel.places.push_back(place_);
        return static_cast<std::uint32_t>(at);
    }

    /// Behind its end, code is filled up: a branch to itself, which no thread reaches, and instructions that do
    /// nothing.
    static void remove_padding(MachineKernel& kernel) {
        auto& all = kernel.instructions;
        while (!all.empty() && all.back().name == "NOP") all.pop_back();
        if (all.empty() || all.back().name != "BRA") return;
        const std::string label(between(all.back().operands, "(", ")"));
        const auto found = kernel.labels.find(label);
        if (found != kernel.labels.end() && found->second == all.back().address) all.pop_back();
    }

    /// The section that the function begins: it may have another number behind its name than the function, where
    /// several linked files have functions of one name.
    static auto section_of(const std::string& symbol, const std::vector<MachineKernel>& sections) {
        const auto found = std::ranges::find_if(sections, [&](const MachineKernel& section) {
            const auto label = section.labels.find(symbol);
            return label != section.labels.end() && label->second == 0;
        });
        return found != sections.end() ? found
                                       : std::ranges::find(sections, without_unit(symbol), &MachineKernel::symbol);
    }

    /// Puts the functions of other sections that are called behind the kernel, which calls them by their names.
    static void append_called(MachineKernel& kernel, const std::vector<MachineKernel>& sections) {
        constexpr std::uint32_t kInstructionBytes = 16;
        for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
            if (!kernel.instructions[i].name.starts_with("CALL.ABS")) continue;
            const std::string symbol(between(kernel.instructions[i].operands, "`(", ")"));
            const auto called = section_of(symbol, sections);
            if (kernel.labels.contains(symbol) || called == sections.end()) continue;
            const std::uint32_t base = kernel.instructions.back().address + kInstructionBytes;
            const auto first_place = static_cast<std::uint32_t>(kernel.places.size());
            for (MachineInstruction instruction : called->instructions) {
                instruction.address += base;
                instruction.place += first_place;
                kernel.instructions.push_back(std::move(instruction));
            }
            for (const auto& [label, address] : called->labels) kernel.labels.emplace(label, address + base);
            kernel.labels.emplace(symbol, base);
            kernel.places.insert(kernel.places.end(), called->places.begin(), called->places.end());
        }
    }

    // -- facts --------------------------------------------------------------------------------------------------

    void read_attribute(std::string_view line) {
        constexpr std::string_view kAttribute = "//----- nvinfo : ";
        if (line.starts_with(kAttribute)) {
            finish_attribute();
            attribute_ = line.substr(kAttribute.size());
            return;
        }
        if (const std::string_view symbol = between(line, "index@(", ")"); !symbol.empty()) about_ = symbol;
        data(line, payload_);
    }

    /// Two bytes of form and name and two of length come before what it says.
    void finish_attribute() {
        constexpr std::size_t kHead = 4;
        const std::string_view own = std::string_view(section_).starts_with(".nv.info.")
                                         ? std::string_view(section_).substr(9)
                                         : std::string_view(about_);
        const auto word = [&](std::size_t at, unsigned bytes) { return word_at(payload_, kHead + at, bytes); };
        // The second form is that of parameters of more than 4 KiB: their size has two bytes of its own.
        const bool large = attribute_ == "EIATTR_KPARAM_INFO_V2";
        if (large || attribute_ == "EIATTR_KPARAM_INFO") {
            constexpr unsigned kSizeShift = 18;
            // They come in no order that holds: linked code has another than compiled code.
            std::vector<MachineParameter>& parameters = attributes_[std::string(own)].parameters;
            const std::size_t ordinal = word(4, 2);
            parameters.resize(std::max(parameters.size(), ordinal + 1));
            parameters[ordinal] = {word(6, 2), large ? word(8, 2) : word(8, 4) >> kSizeShift};
        } else if (attribute_ == "EIATTR_PARAM_CBANK") {
            attributes_[std::string(own)].parameter_base = word(4, 2);
        } else if (attribute_ == "EIATTR_REGCOUNT") {
            attributes_[about_].registers = word(4, 4);
        } else if (attribute_ == "EIATTR_FRAME_SIZE") {
            attributes_[about_].stack_bytes = word(4, 4);
        }
        attribute_.clear();
        payload_.clear();
    }

    /// What is read of a section of variables.
    struct Data {
        std::vector<MachineSymbol> variables;
        std::vector<std::uint8_t> bytes;

        /// Behind a variable: what follows is the next one's.
        void end_variable() {
            if (!variables.empty() && variables.back().bytes == 0)
                variables.back().bytes = static_cast<std::uint32_t>(bytes.size()) - variables.back().offset;
        }
        MachineData finish() {
            end_variable();
            MachineData data{std::move(variables), {}};
            for (const std::uint8_t byte : bytes) data.bytes.push_back(static_cast<std::byte>(byte));
            return data;
        }
    };

    static void read_variables(std::string_view line, Data& into) {
        if (line.ends_with(':') && line.find(' ') == line.npos) {
            into.end_variable();
            if (!line.starts_with('.'))
                into.variables.push_back(
                    {std::string(line.substr(0, line.size() - 1)), static_cast<std::uint32_t>(into.bytes.size()), 0});
        } else if (line.starts_with(".align")) {
            const std::size_t step = std::max<std::size_t>(1, number(trimmed(line.substr(6))));
            into.bytes.resize((into.bytes.size() + step - 1) / step * step);
        } else {
            data(line, into.bytes);
        }
    }

    /// "/*0008*/ .dword table"
    void read_addresses(std::string_view line) {
        constexpr std::string_view kDirective = ".dword";
        const std::string_view directive = behind_address(line);
        if (!line.starts_with("/*") || !directive.starts_with(kDirective)) return;
        std::uint32_t offset = 0;
        std::from_chars(line.data() + 2, line.data() + line.size(), offset, 16);
        const std::string_view name = trimmed(directive.substr(kDirective.size()));
        code_.addresses.push_back({std::string(name), offset, sizeof(std::uint64_t)});
    }

    static std::string_view behind_address(std::string_view line) {
        if (!line.starts_with("/*")) return line;
        const auto close = line.find("*/");
        return close == line.npos ? line : trimmed(line.substr(close + 2));
    }

    /// A data directive, with or without its address in front.
    static void data(std::string_view line, std::vector<std::uint8_t>& bytes) {
        append_data(behind_address(line), bytes);
    }

    MachineCode code_;
    std::string target_, section_, attribute_, about_;
    std::vector<std::uint8_t> payload_;
    Data constants_, globals_;
    std::map<std::string, Attributes> attributes_;
    std::map<std::string, std::vector<std::uint8_t>> shared_, tables_;
    bool text_ = false, fresh_place_ = true;
    CodePlace place_;
    std::vector<std::string> labels_;
};

}  // namespace

std::string MachineInstruction::text() const {
    return (guard.empty() ? "" : guard + " ") + name + (operands.empty() ? "" : " " + operands);
}

std::string without_unit(const std::string& symbol) {
    constexpr std::string_view kStatic = "__nv_static_";
    if (!symbol.starts_with(kStatic)) return symbol;
    // Behind the mark the unit's length, the unit, and the name, each after an underscore.
    const std::string digits = symbol.substr(kStatic.size(), symbol.find('_', kStatic.size()) - kStatic.size());
    const std::size_t name = kStatic.size() + digits.size() + 1 + number(digits) + 1;
    return number(digits) == 0 || name >= symbol.size() ? symbol : symbol.substr(name);
}

MachineCode read_machine_code(std::string_view disassembly) {
    Reader reader;
    while (!disassembly.empty()) {
        const auto end = std::min(disassembly.find('\n'), disassembly.size());
        reader.read(trimmed(disassembly.substr(0, end)));
        disassembly.remove_prefix(std::min(end + 1, disassembly.size()));
    }
    return reader.finish();
}

}  // namespace lanework
