// What each instruction of PTX becomes. Most compute one value of their operands: a table says how many they take, of
// which types, and which function computes it. Memory, comparisons, and what lanes do together have their own writers.
#include "src/cudafe/ptx_calls.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "src/cudafe/cursor.hpp"
#include "src/cudafe/ptx_instructions.hpp"

namespace lanework::cudafe {
namespace {

constexpr std::string_view kScope = "::lanework_simt::";
constexpr std::string_view kPtx = "::lanework_simt::ptx::";
constexpr const char* kRow = "::lanework_simt::ptx::matrices::Row";

constexpr std::string_view kCacheHint = "lanework_hint", kDigits = "0123456789";

bool is_cache_hint(std::string_view word) {
    return word.starts_with(kCacheHint) && word.find_first_not_of(kDigits, kCacheHint.size()) == word.size() - 1 &&
           word.ends_with('_');
}

/// The modifiers of one instruction by what they mean.
struct Modifiers {
    std::vector<std::string> types;
    /// "rz", "rm" or "rp"; empty for the nearest. Those to an integer: "rni", "rzi", "rmi", "rpi".
    std::string rounding;
    bool flush = false, saturate = false, approximate = false;
    /// The others, in their order.
    std::vector<std::string> others;

    explicit Modifiers(const std::vector<std::string>& words) {
        for (const std::string& word : words) {
            if (!cpp_type(word).empty() || word == "tf32")
                types.push_back(word);
            else if (among("rn rz rm rp rna rni rzi rmi rpi", word))
                rounding = word == "rn" || word == "rna" ? "" : word;
            else if (word == "ftz")
                flush = true;
            else if (word == "sat")
                saturate = true;
            else if (word == "approx" || word == "full")
                approximate = true;
            else
                others.push_back(word);
        }
    }
    bool has(std::string_view word) const { return std::ranges::find(others, word) != others.end(); }
};

class Writer {
public:
    explicit Writer(const std::vector<AssemblyOperand>& operands) : operands_(operands) { scopes_.emplace_back(); }

    std::string run(std::string_view text) {
        for (const PtxStatement& statement : read_ptx(text)) {
            switch (statement.kind) {
                case PtxStatement::Kind::open:
                    scopes_.emplace_back();
                    result_ += "{ ";
                    break;
                case PtxStatement::Kind::close:
                    if (scopes_.size() == 1) throw PtxError(0, "inline PTX with a } too many");
                    scopes_.pop_back();
                    result_ += "} ";
                    break;
                case PtxStatement::Kind::declaration: declare(statement); break;
                case PtxStatement::Kind::instruction: guarded(statement.instruction); break;
            }
        }
        if (scopes_.size() != 1) throw PtxError(0, "inline PTX with a { too many");
        return std::move(result_);
    }

private:
    using Instruction = PtxInstruction;
    using Operand = PtxOperand;

    // -- registers -------------------------------------------------------------------------------------------------

    void declare(const PtxStatement& statement) {
        const std::string type = statement.type == "tf32" ? "unsigned int" : cpp_type(statement.type);
        if (type.empty()) throw PtxError(0, "registers of type ." + statement.type + " in inline PTX");
        for (const std::string& name : statement.names) {
            const std::string variable = "lanework_r" + std::to_string(declared_++);
            scopes_.back()[name] = variable;
            result_ += "[[maybe_unused]] " + type + " " + variable + "{}; ";
        }
    }

    std::string variable(const Operand& operand) const {
        const std::string& name = operand.text;
        if (is_digit(name.front())) {
            const auto index = static_cast<std::size_t>(name.size() > 2 ? 999 : std::stoi(name));
            if (index >= operands_.size()) throw PtxError(operand.offset, "inline PTX names an operand %" + name);
            return "lanework_" + name;
        }
        if (name.front() == '[') {
            for (std::size_t i = 0; i < operands_.size(); ++i)
                if ("[" + operands_[i].name + "]" == name) return "lanework_" + std::to_string(i);
            throw PtxError(operand.offset, "inline PTX names an operand %" + name);
        }
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end()) return found->second;
        return "";
    }

    std::string destination(const Operand& operand) const {
        if (operand.kind == Operand::Kind::nothing) return std::string(kPtx) + "Sink().value";
        const std::string found = operand.kind == Operand::Kind::name ? variable(operand) : "";
        if (found.empty()) throw PtxError(operand.offset, "no register " + operand.text + " in inline PTX");
        return found;
    }

    /// An operand as an expression of its own type.
    std::string source(const Operand& operand) const {
        switch (operand.kind) {
            case Operand::Kind::integer: return operand.text + (is_unsigned(operand.text) ? "ull" : "ll");
            case Operand::Kind::real: return real(operand.text);
            case Operand::Kind::name: break;
            default: throw PtxError(operand.offset, "an operand of inline PTX that is no register and no number");
        }
        std::string found = variable(operand);
        if (found.empty()) found = special(operand);
        return operand.negated ? "!" + found : found;
    }

    static std::string special(const Operand& operand) {
        if (const std::string_view value = special_register(operand.text); !value.empty()) return std::string(value);
        throw PtxError(operand.offset, "no register %" + operand.text + " in inline PTX");
    }

    static bool is_unsigned(const std::string& integer) { return integer.front() != '-' && integer.size() > 17; }

    static std::string real(const std::string& text) {
        const bool minus = text.front() == '-';
        const std::string digits = text.substr(minus ? 1 : 0);
        std::string value = digits;
        if (digits.size() == 10 && among("f F", digits.substr(1, 1)))
            value = std::string(kPtx) + "float_of(0x" + digits.substr(2) + "u)";
        else if (digits.size() == 18 && among("d D", digits.substr(1, 1)))
            value = std::string(kPtx) + "double_of(0x" + digits.substr(2) + "ull)";
        return minus ? "-" + value : value;
    }

    static std::string as(std::string_view type, const std::string& value) {
        return std::string(kPtx) + "as<" + std::string(type) + ">(" + value + ")";
    }

    std::string source_as(const std::string& ptx_type, const Operand& operand) const {
        return as(cpp_type(ptx_type), source(operand));
    }

    /// A variable for what is used twice.
    std::string new_variable(const std::string& type, const std::string& value) {
        const std::string name = "lanework_r" + std::to_string(declared_++);
        result_ += "[[maybe_unused]] " + type + " " + name + " = " + value + "; ";
        return name;
    }

    void put(const Operand& to, const std::string& value) {
        result_ += std::string(kPtx) + "put(" + destination(to) + ", " + value + "); ";
    }

    // -- instructions ----------------------------------------------------------------------------------------------

    void guarded(const Instruction& one) {
        if (one.guard) {
            const std::string predicate = variable(*one.guard);
            if (predicate.empty()) throw PtxError(one.offset, "no register " + one.guard->text + " in inline PTX");
            result_ += std::string("if (") + (one.guard->negated ? "!" : "") + predicate + ") { ";
        }
        write(one);
        if (one.guard) result_ += "} ";
    }

    [[noreturn]] static void unknown(const Instruction& one) { throw PtxError(one.offset, one.opcode()); }

    static void expect_operands(const Instruction& one, std::size_t count) {
        if (one.operands.size() != count)
            throw PtxError(one.offset, one.opcode() + " with " + std::to_string(one.operands.size()) + " operands");
    }

    void write(const Instruction& one) {
        using Writing = void (Writer::*)(const Instruction&, const Modifiers&);
        static const std::map<std::string, Writing, std::less<>> kWriters{
            {"mov", &Writer::move},
            {"cvt", &Writer::convert},
            {"cvta", &Writer::address_space},
            {"setp", &Writer::compare},
            {"set", &Writer::compare_to},
            {"slct", &Writer::select_by_sign},
            {"ld", &Writer::load},
            {"ldu", &Writer::load},
            {"st", &Writer::store},
            {"atom", &Writer::atomic},
            {"red", &Writer::atomic},
            {"membar", &Writer::fence},
            {"fence", &Writer::fence},
            {"prefetch", &Writer::nothing},
            {"prefetchu", &Writer::nothing},
            {"bar", &Writer::barrier},
            {"barrier", &Writer::barrier},
            {"shfl", &Writer::shuffle},
            {"vote", &Writer::vote},
            {"match", &Writer::match},
            {"activemask", &Writer::active},
            {"redux", &Writer::reduce},
            {"elect", &Writer::elect},
            {"mma", &Writer::multiply},
            {"ldmatrix", &Writer::load_matrices},
            {"stmatrix", &Writer::store_matrices},
            {"movmatrix", &Writer::transpose_matrix},
            {"cp", &Writer::copy},
            {"nanosleep", &Writer::sleep},
            {"trap", &Writer::trap},
            {"brkpt", &Writer::nothing},
            {"pmevent", &Writer::nothing},
            {"isspacep", &Writer::in_space},
            {"griddepcontrol", &Writer::nothing},
            {"createpolicy", &Writer::policy},
            {"dp4a", &Writer::dot},
            {"dp2a", &Writer::dot},
            {"vadd2", &Writer::packed},
            {"vadd4", &Writer::packed},
            {"vsub2", &Writer::packed},
            {"vsub4", &Writer::packed},
            {"vmin2", &Writer::packed},
            {"vmin4", &Writer::packed},
            {"vmax2", &Writer::packed},
            {"vmax4", &Writer::packed},
            {"vabsdiff2", &Writer::packed},
            {"vabsdiff4", &Writer::packed},
        };
        const Modifiers modifiers(one.modifiers);
        if (const auto found = kWriters.find(one.name); found != kWriters.end())
            (this->*found->second)(one, modifiers);
        else
            plain(one, modifiers);
    }

    void plain(const Instruction& one, const Modifiers& modifiers) {
        std::string name = one.name;
        for (const std::string& word : modifiers.others) name += "." + word;
        const PlainInstruction* const found = plain_instruction(name);
        if (!found || modifiers.types.size() != 1 || !among(found->types, modifiers.types[0])) unknown(one);
        expect_operands(one, found->sources + 1);
        const std::string& type = modifiers.types[0];
        const bool floating = among(kFloats, type);
        if (modifiers.saturate && !floating && !(among("add sub", name) && type == "s32")) unknown(one);
        if (modifiers.rounding.size() > 2 || (!modifiers.rounding.empty() && !floating)) unknown(one);
        std::string arguments;
        for (std::size_t i = 1; i < one.operands.size(); ++i) {
            std::string value = source_as(operand_type(name, type, i), one.operands[i]);
            if (modifiers.flush && type == "f32") value = std::string(kPtx) + "flushed(" + value + ")";
            arguments += (i > 1 ? ", " : "") + value;
        }
        std::string value = function(one, *found, modifiers) + "(" + arguments + ")";
        if (modifiers.flush && type == "f32") value = std::string(kPtx) + "flushed(" + value + ")";
        if (modifiers.saturate && floating) value = std::string(kPtx) + "saturated(" + value + ")";
        put(one.operands[0], value);
    }

    /// Counts of shifts, positions of bits and predicates have types of their own.
    static std::string operand_type(const std::string& name, const std::string& type, std::size_t i) {
        if ((among("shl shr", name) && i == 2) || (name == "bfe" && i > 1) || (name == "bfi" && i > 2)) return "u32";
        if (name == "selp" && i == 3) return "pred";
        if (among("mad.wide", name) && i == 3)
            return type == "u32" ? "u64" : type == "s32" ? "s64" : type == "u16" ? "u32" : "s32";
        if (name == "fns" && i == 3) return "s32";
        return type;
    }

    std::string function(const Instruction& one, const PlainInstruction& plain, const Modifiers& modifiers) const {
        if (!modifiers.rounding.empty()) {
            constexpr std::array<std::string_view, 7> kDirected{"add", "sub", "mul", "div", "rcp", "sqrt", "fma"};
            const std::string name = plain.name == "mad" ? "fma" : std::string(plain.name);
            if (std::ranges::find(kDirected, name) == kDirected.end()) unknown(one);
            const bool single = modifiers.types[0] == "f32";
            const std::string suffix = modifiers.rounding == "rz" ? "_rz" : modifiers.rounding == "rm" ? "_rd" : "_ru";
            if (name == "fma") return std::string(kScope) + (single ? "__fmaf" : "__fma") + suffix;
            return std::string(kScope) + (single ? "__f" : "__d") + name + suffix;
        }
        if (!plain.function.empty()) return std::string(plain.function);
        std::string name = "op_" + std::string(plain.name);
        std::ranges::replace(name, '.', '_');
        if (modifiers.saturate && modifiers.types[0] == "s32") name += "_sat";
        return std::string(kPtx) + name;
    }

    void move(const Instruction& one, const Modifiers& modifiers) {
        if (modifiers.types.size() != 1 || !modifiers.others.empty()) unknown(one);
        expect_operands(one, 2);
        const std::string& type = modifiers.types[0];
        const Operand &to = one.operands[0], &from = one.operands[1];
        if (to.kind == Operand::Kind::list) {
            std::string arguments = source_as(type, from);
            for (const Operand& part : to.parts) arguments += ", " + destination(part);
            result_ += std::string(kPtx) + "unpack(" + arguments + "); ";
        } else if (from.kind == Operand::Kind::list) {
            std::string arguments;
            for (const Operand& part : from.parts) arguments += (arguments.empty() ? "" : ", ") + source(part);
            put(to, std::string(kPtx) + "pack<" + cpp_type(type) + ">(" + arguments + ")");
        } else {
            put(to, source_as(type, from));
        }
    }

    void convert(const Instruction& one, const Modifiers& modifiers) {
        // Two floats become a pair of 16-bit numbers, the first the upper one.
        if (modifiers.types.size() == 2 && among("f16x2 bf16x2", modifiers.types[0]) && modifiers.types[1] == "f32" &&
            one.operands.size() == 3 && modifiers.rounding.empty() && modifiers.others.empty()) {
            return put(one.operands[0], std::string(kPtx) + "pair<" + cpp_type(modifiers.types[0]) + ">(" +
                                            source_as("f32", one.operands[1]) + ", " +
                                            source_as("f32", one.operands[2]) + ")");
        }
        if (modifiers.types.size() != 2 || !modifiers.others.empty()) unknown(one);
        expect_operands(one, 2);
        if (modifiers.types[0] == "tf32")
            return put(one.operands[0], std::string(kPtx) + "to_tf32(" + source_as("f32", one.operands[1]) + ")");
        const std::string to = cpp_type(modifiers.types[0]), from = cpp_type(modifiers.types[1]);
        if (to.empty() || from.empty() || among("pred f16x2 bf16x2", modifiers.types[0])) unknown(one);
        const std::string rounding = modifiers.rounding.empty() ? "rn" : modifiers.rounding;
        std::string value = source_as(modifiers.types[1], one.operands[1]);
        if (modifiers.flush && modifiers.types[1] == "f32") value = std::string(kPtx) + "flushed(" + value + ")";
        value = std::string(kPtx) + "convert<" + to + ", " + std::string(kPtx) + "Rounding::" + rounding + ", " +
                (modifiers.saturate ? "true" : "false") + ">(" + value + ")";
        put(one.operands[0], value);
    }

    /// Generic addresses and those of global memory are one; those of shared memory count from the block's.
    void address_space(const Instruction& one, const Modifiers& modifiers) {
        expect_operands(one, 2);
        const bool to = modifiers.has("to"), shared = modifiers.has("shared") || modifiers.has("shared::cta");
        if (!shared && !modifiers.has("global") && !modifiers.has("const") && !modifiers.has("local") &&
            !modifiers.has("param"))
            unknown(one);
        const std::string value = as("unsigned long long", source(one.operands[1]));
        put(one.operands[0], !shared ? value
                             : to    ? std::string(kPtx) + "shared_offset(" + value + ")"
                                     : std::string(kPtx) + "shared_address(" + value + ")");
    }

    void in_space(const Instruction& one, const Modifiers& modifiers) {
        expect_operands(one, 2);
        if (modifiers.others.size() != 1 || !among("global shared shared::cta", modifiers.others[0])) unknown(one);
        const std::string shared =
            std::string(kPtx) + "is_shared(" + as("unsigned long long", source(one.operands[1])) + ")";
        put(one.operands[0], modifiers.others[0] == "global" ? "!" + shared : shared);
    }

    std::string comparison(const Instruction& one, const Modifiers& modifiers, const std::string& type,
                           const Operand& left, const Operand& right) const {
        constexpr std::string_view kComparisons = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
        if (modifiers.others.empty() || !among(kComparisons, modifiers.others[0]) || cpp_type(type).empty())
            unknown(one);
        const auto value = [&](const Operand& operand) {
            const std::string plain = source_as(type, operand);
            return modifiers.flush && type == "f32" ? std::string(kPtx) + "flushed(" + plain + ")" : plain;
        };
        return std::string(kPtx) + "is_" + modifiers.others[0] + "(" + value(left) + ", " + value(right) + ")";
    }

    /// `result` with a further predicate, where the instruction has one.
    std::string combined(const Instruction& one, const Modifiers& modifiers, const std::string& result,
                         std::size_t sources) const {
        if (modifiers.others.size() == 1 && one.operands.size() == sources) return result;
        if (modifiers.others.size() != 2 || !among("and or xor", modifiers.others[1]) ||
            one.operands.size() != sources + 1)
            unknown(one);
        return std::string(kPtx) + "op_" + modifiers.others[1] + "(" + result + ", " +
               as("bool", source(one.operands[sources])) + ")";
    }

    void compare(const Instruction& one, const Modifiers& modifiers) {
        const std::size_t first = one.has_second_destination ? 2 : 1;
        if (modifiers.types.size() != 1 || one.operands.size() < first + 2) unknown(one);
        const std::string result =
            comparison(one, modifiers, modifiers.types[0], one.operands[first], one.operands[first + 1]);
        const std::string name = new_variable("const bool", result);
        // The destinations may be the further predicate.
        std::string second;
        if (one.has_second_destination)
            second = new_variable("const bool", combined(one, modifiers, "!" + name, first + 2));
        put(one.operands[0], combined(one, modifiers, name, first + 2));
        if (one.has_second_destination) put(one.operands[1], second);
    }

    void compare_to(const Instruction& one, const Modifiers& modifiers) {
        if (modifiers.types.size() != 2 || one.operands.size() < 3) unknown(one);
        const std::string result = combined(
            one, modifiers, comparison(one, modifiers, modifiers.types[1], one.operands[1], one.operands[2]), 3);
        const std::string& type = modifiers.types[0];
        if (!among("u32 s32 f32", type)) unknown(one);
        put(one.operands[0], result + (type == "f32" ? " ? 1.0f : 0.0f" : " ? 0xffffffffu : 0u"));
    }

    void select_by_sign(const Instruction& one, const Modifiers& modifiers) {
        if (modifiers.types.size() != 2 || !modifiers.others.empty()) unknown(one);
        expect_operands(one, 4);
        put(one.operands[0], "(" + source_as(modifiers.types[1], one.operands[3]) + " >= 0 ? " +
                                 source_as(modifiers.types[0], one.operands[1]) + " : " +
                                 source_as(modifiers.types[0], one.operands[2]) + ")");
    }

    void dot(const Instruction& one, const Modifiers& modifiers) {
        expect_operands(one, 4);
        if (modifiers.types.size() != 2 || modifiers.types[0] != modifiers.types[1]) unknown(one);
        const std::string half = modifiers.has("lo") ? "_lo" : modifiers.has("hi") ? "_hi" : "";
        if (modifiers.others.size() != (half.empty() ? 0u : 1u) || (one.name == "dp2a") == half.empty()) unknown(one);
        std::string arguments;
        for (std::size_t i = 1; i < 4; ++i)
            arguments += (i > 1 ? ", " : "") + source_as(modifiers.types[0], one.operands[i]);
        put(one.operands[0], std::string(kScope) + "__" + one.name + half + "(" + arguments + ")");
    }

    /// On every half or byte of a word, by CUDA's function for it; absolute differences may be added up.
    void packed(const Instruction& one, const Modifiers& modifiers) {
        expect_operands(one, 4);
        const std::string operation = one.name.substr(0, one.name.size() - 1);
        const bool sum = modifiers.has("add");
        if (modifiers.types.size() != 3 || modifiers.types[1] != modifiers.types[2] || modifiers.saturate ||
            modifiers.others.size() != (sum ? 1u : 0u) || (sum && operation != "vabsdiff") ||
            !among("u32 s32", modifiers.types[0]) || !among("u32 s32", modifiers.types[1]))
            unknown(one);
        const char* const sign = among("vadd vsub", operation) ? "" : modifiers.types[1] == "u32" ? "u" : "s";
        const std::string value = std::string(kScope) + "__" + (sum ? "vsad" : operation) + sign + one.name.back() +
                                  "(" + source_as("u32", one.operands[1]) + ", " + source_as("u32", one.operands[2]) +
                                  ")";
        put(one.operands[0], sum ? value + " + " + source_as("u32", one.operands[3]) : value);
    }

    // -- memory ----------------------------------------------------------------------------------------------------

    /// Of an address operand: a pointer to `type` in the space that the modifiers name.
    std::string pointer(const Instruction& one, const Modifiers& modifiers, const Operand& operand,
                        const std::string& type) const {
        const bool shared = modifiers.has("shared") || modifiers.has("shared::cta");
        return pointer_in(one, shared, operand, type);
    }

    std::string pointer_in(const Instruction& one, bool shared, const Operand& operand, const std::string& type) const {
        if (operand.kind != Operand::Kind::address) unknown(one);
        std::string address = as("unsigned long long", source(operand.parts[0]));
        if (operand.displacement != 0) address += " + " + std::to_string(operand.displacement) + "ll";
        return std::string(kPtx) + (shared ? "in_shared<" : "in_memory<") + type + ">(" + address + ")";
    }

    /// What loads and stores may say besides their type: none of it changes a value here.
    static std::size_t lanes_and_hints(const Instruction& one, const Modifiers& modifiers) {
        constexpr std::string_view kHints =
            "global shared shared::cta const local param param::entry volatile relaxed acquire release weak mmio cta "
            "gpu sys cluster nc ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged L1::evict_first "
            "L1::evict_last L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last L2::64B L2::128B L2::256B "
            "L2::cache_hint unified";
        std::size_t lanes = 1;
        for (const std::string& word : modifiers.others) {
            if (word == "v2" || word == "v4" || word == "v8")
                lanes = static_cast<std::size_t>(word[1] - '0');
            else if (!among(kHints, word) && !is_cache_hint(word))
                unknown(one);
        }
        if (modifiers.types.size() != 1 || among("pred f16 bf16", modifiers.types[0])) unknown(one);
        return lanes;
    }

    std::string ordering(const Modifiers& modifiers) const {
        for (const char* word : {"volatile", "acquire", "release", "relaxed", "mmio"})
            if (modifiers.has(word)) return word;
        return "weak";
    }

    /// The last argument of an ordered load or store; a volatile one is relaxed (PTX ISA, "Memory Consistency Model").
    static std::string order_argument(std::string_view how) {
        if (how == "weak") return "";
        return how == "acquire" ? ", __ATOMIC_ACQUIRE" : how == "release" ? ", __ATOMIC_RELEASE" : ", __ATOMIC_RELAXED";
    }

    /// The integer that holds so many of this type, which are then loaded and stored at once, as a GPU does; empty
    /// where there is none.
    static std::string word_of(const std::string& ptx_type, std::size_t lanes) {
        const std::size_t bytes = lanes * std::stoul(ptx_type.substr(1)) / 8;  // u32, b64, …
        return bytes == 8 ? "unsigned long long" : bytes == 4 ? "unsigned int" : bytes == 2 ? "unsigned short" : "";
    }

    /// What stands before an access whose scope is the block.
    static std::string scope_of(const Modifiers& modifiers) {
        return modifiers.has("cta") ? "(void)" + std::string(kScope) + "BlockScope(), " : "";
    }

    void load(const Instruction& one, const Modifiers& modifiers) {
        const std::size_t lanes = lanes_and_hints(one, modifiers);
        if (one.operands.size() != (modifiers.has("L2::cache_hint") ? 3u : 2u)) unknown(one);
        const std::string type = cpp_type(modifiers.types[0]);
        const Operand& to = one.operands[0];
        if (lanes == 1) {
            const std::string how = ordering(modifiers);
            const std::string scope = scope_of(modifiers);
            const std::string call = std::string(kPtx) + (how == "weak" ? "load(" : "load_ordered(") +
                                     pointer(one, modifiers, one.operands[1], type) + order_argument(how) + ")";
            put(to, scope.empty() ? call : "(" + scope + call + ")");
            return;
        }
        if (to.kind != Operand::Kind::list || to.parts.size() != lanes) unknown(one);
        const std::string whole = "lanework_r" + std::to_string(declared_++);
        const std::string vector = std::string(kPtx) + "Vector<" + type + ", " + std::to_string(lanes) + ">";
        if (const std::string bits = word_of(modifiers.types[0], lanes); !bits.empty() && ordering(modifiers) != "weak")
            result_ += "const " + vector + " " + whole + " = (" + scope_of(modifiers) + "__builtin_bit_cast(" + vector +
                       ", " + std::string(kPtx) + "load_ordered(" + pointer(one, modifiers, one.operands[1], bits) +
                       order_argument(ordering(modifiers)) + "))); ";
        else
            result_ +=
                "const " + vector + " " + whole + " = *" + pointer(one, modifiers, one.operands[1], vector) + "; ";
        for (std::size_t i = 0; i < lanes; ++i) put(to.parts[i], whole + ".lane[" + std::to_string(i) + "]");
    }

    void store(const Instruction& one, const Modifiers& modifiers) {
        const std::size_t lanes = lanes_and_hints(one, modifiers);
        if (one.operands.size() != (modifiers.has("L2::cache_hint") ? 3u : 2u)) unknown(one);
        const std::string type = cpp_type(modifiers.types[0]);
        const Operand& from = one.operands[1];
        if (lanes == 1) {
            const std::string how = ordering(modifiers);
            result_ += scope_of(modifiers) + std::string(kPtx) + (how == "weak" ? "store(" : "store_ordered(") +
                       pointer(one, modifiers, one.operands[0], type) + ", " + as(type, source(from)) +
                       order_argument(how) + "); ";
            return;
        }
        if (from.kind != Operand::Kind::list || from.parts.size() != lanes) unknown(one);
        const std::string vector = std::string(kPtx) + "Vector<" + type + ", " + std::to_string(lanes) + ">";
        std::string values;
        for (const Operand& part : from.parts) values += (values.empty() ? "" : ", ") + as(type, source(part));
        const std::string whole = vector + "{{" + values + "}}";
        if (const std::string bits = word_of(modifiers.types[0], lanes); !bits.empty() && ordering(modifiers) != "weak")
            result_ += scope_of(modifiers) + std::string(kPtx) + "store_ordered(" +
                       pointer(one, modifiers, one.operands[0], bits) + ", __builtin_bit_cast(" + bits + ", " + whole +
                       ")" + order_argument(ordering(modifiers)) + "); ";
        else
            result_ += "*" + pointer(one, modifiers, one.operands[0], vector) + " = " + whole + "; ";
    }

    void atomic(const Instruction& one, const Modifiers& modifiers) {
        constexpr std::string_view kHints =
            "global shared shared::cta relaxed acquire release acq_rel cta gpu sys cluster L2::cache_hint noftz";
        struct Operation {
            std::string_view name, function, types;
        };
        constexpr Operation kOperations[] = {{"add", "atomicAdd", "u32 s32 u64 s64 f32 f64"},
                                             {"min", "atomicMin", "u32 s32 u64 s64"},
                                             {"max", "atomicMax", "u32 s32 u64 s64"},
                                             {"inc", "atomicInc", "u32"},
                                             {"dec", "atomicDec", "u32"},
                                             {"and", "atomicAnd", "b32 b64"},
                                             {"or", "atomicOr", "b32 b64"},
                                             {"xor", "atomicXor", "b32 b64"},
                                             {"exch", "atomicExch", "b32 b64"},
                                             {"cas", "atomicCAS", "b16 b32 b64"}};
        const Operation* operation = nullptr;
        for (const std::string& word : modifiers.others) {
            const auto* const found = std::ranges::find(kOperations, word, &Operation::name);
            if (found != std::ranges::end(kOperations))
                operation = found;
            else if (!among(kHints, word))
                unknown(one);
        }
        if (!operation || modifiers.types.size() != 1 || !among(operation->types, modifiers.types[0])) unknown(one);
        const bool reduction = one.name == "red";
        const std::size_t values = operation->name == "cas" ? 2 : 1, first = reduction ? 0 : 1;
        expect_operands(one, first + 1 + values + (modifiers.has("L2::cache_hint") ? 1 : 0));
        const bool wraps = modifiers.types[0] == "s64" && operation->name == "add";
        const std::string type = cpp_type(wraps ? "u64" : modifiers.types[0]);
        const bool block = modifiers.has("cta");
        std::string call = std::string(kScope) + std::string(operation->function) + (block ? "_block(" : "(") +
                           pointer(one, modifiers, one.operands[first], type);
        for (std::size_t i = 1; i <= values; ++i) call += ", " + as(type, source(one.operands[first + i]));
        call += ")";
        const bool both = modifiers.has("acq_rel");
        const std::string fence = std::string(kScope) + (block ? "block_fence(); " : "memory_fence(); ");
        if (both || modifiers.has("release")) result_ += fence;
        if (reduction)
            result_ += std::string(kScope) + "discard_old_value(), " + call + "; ";
        else
            put(one.operands[0], call);
        if (both || modifiers.has("acquire")) result_ += fence;
    }

    void fence(const Instruction& one, const Modifiers& modifiers) {
        for (const std::string& word : modifiers.others)
            if (!among("cta gl sys gpu sc acq_rel acquire release proxy alias async async.global async.shared::cta "
                       "cluster",
                       word))
                unknown(one);
        const bool block = modifiers.has("cta");
        result_ += std::string(kScope) + (block ? "__threadfence_block(); " : "__threadfence(); ");
    }

    void nothing(const Instruction&, const Modifiers&) {}

    void policy(const Instruction& one, const Modifiers&) {
        if (one.operands.empty()) unknown(one);
        put(one.operands[0], "0ull");
    }

    /// cp.async: the bytes are there at once, so that committing and waiting is nothing.
    void copy(const Instruction& one, const Modifiers& modifiers) {
        if (!modifiers.has("async") || modifiers.has("bulk") || modifiers.has("mbarrier") || modifiers.has("reduce"))
            unknown(one);
        if (modifiers.has("commit_group") || modifiers.has("wait_group") || modifiers.has("wait_all")) return;
        for (const std::string& word : modifiers.others)
            if (!among("async ca cg shared shared::cta global L2::64B L2::128B L2::256B L2::cache_hint", word))
                unknown(one);
        std::size_t count = one.operands.size() - (modifiers.has("L2::cache_hint") ? 1 : 0);
        if (one.operands.size() < 3 || count < 3 || count > 4) unknown(one);
        const Operand& size = one.operands[2];
        const std::string bytes = size.kind == Operand::Kind::integer ? size.text : constant(size);
        result_ += std::string(kPtx) + "copy<" + bytes + ">(" + pointer_in(one, true, one.operands[0], "void") + ", " +
                   pointer_in(one, false, one.operands[1], "const void") + ", " +
                   (count == 4 ? as("unsigned int", source(one.operands[3])) : bytes) + "); ";
    }

    /// An operand with the constraint "n" is a constant of the program's; its variable is one, too.
    std::string constant(const Operand& operand) const { return source(operand); }

    // -- what threads do together ----------------------------------------------------------------------------------

    void barrier(const Instruction& one, const Modifiers& modifiers) {
        std::vector<std::string> words = modifiers.others;
        std::erase_if(words, [](const std::string& word) { return word == "cta" || word == "aligned"; });
        if (words.size() == 2 && words[0] == "warp" && words[1] == "sync") {
            expect_operands(one, 1);
            result_ += std::string(kScope) + "__syncwarp(" + source_as("u32", one.operands[0]) + "); ";
            return;
        }
        // A cluster is one block here: what its threads wait for is the block's barrier.
        if (words.size() > 1 && words[0] == "cluster" && (words[1] == "arrive" || words[1] == "wait")) {
            expect_operands(one, 0);
            if (words[1] == "wait") result_ += std::string(kScope) + "__syncthreads(); ";
            return;
        }
        const bool first =
            !one.operands.empty() && one.operands[0].kind == Operand::Kind::integer && one.operands[0].text == "0";
        if (words.size() == 1 && words[0] == "sync") {
            if (one.operands.size() == 1 && first)
                result_ += std::string(kScope) + "__syncthreads(); ";
            else if (one.operands.size() == 1)
                result_ += std::string(kScope) + "__barrier_sync(" + source_as("u32", one.operands[0]) + "); ";
            else if (one.operands.size() == 2)
                result_ += std::string(kScope) + "__barrier_sync_count(" + source_as("u32", one.operands[0]) + ", " +
                           source_as("u32", one.operands[1]) + "); ";
            else
                unknown(one);
            return;
        }
        if (words.size() == 2 && words[0] == "red" && among("popc and or", words[1]) && one.operands.size() == 3 &&
            one.operands[1].text == "0") {
            const std::string call = words[1] == "popc" ? "count" : words[1];
            return put(one.operands[0],
                       std::string(kScope) + "__syncthreads_" + call + "(" + source(one.operands[2]) + ")");
        }
        unknown(one);
    }

    void shuffle(const Instruction& one, const Modifiers& modifiers) {
        const std::size_t first = one.has_second_destination ? 2 : 1;
        if (modifiers.others.size() != 2 || modifiers.others[0] != "sync" ||
            !among("up down bfly idx", modifiers.others[1]) || one.operands.size() != first + 4)
            unknown(one);
        const std::string name = "lanework_r" + std::to_string(declared_++);
        result_ += "const " + std::string(kPtx) + "Shuffle " + name + " = " + std::string(kPtx) + "shuffle_" +
                   modifiers.others[1] + "(";
        for (std::size_t i = first; i < first + 4; ++i)
            result_ += (i > first ? ", " : "") + source_as("u32", one.operands[i]);
        result_ += "); ";
        put(one.operands[0], name + ".value");
        if (one.has_second_destination) put(one.operands[1], name + ".inside");
    }

    void vote(const Instruction& one, const Modifiers& modifiers) {
        if (modifiers.others.size() != 2) unknown(one);
        // vote.sync.ballot as the manual has it, and vote.ballot.sync, which assemblers take as well.
        const bool mode_first = modifiers.others[1] == "sync";
        if (!mode_first && modifiers.others[0] != "sync") unknown(one);
        expect_operands(one, 3);
        const std::string& mode = modifiers.others[mode_first ? 0 : 1];
        const std::string mask = source_as("u32", one.operands[2]), predicate = as("bool", source(one.operands[1]));
        if (mode == "uni")
            return put(one.operands[0], std::string(kPtx) + "vote_uniform(" + mask + ", " + predicate + ")");
        if (!among("any all ballot", mode)) unknown(one);
        const std::string call = std::string(kScope) + "__" + mode + "_sync(" + mask + ", " + predicate + ")";
        put(one.operands[0], mode == "ballot" ? call : "(" + call + " != 0)");
    }

    void match(const Instruction& one, const Modifiers& modifiers) {
        const std::size_t first = one.has_second_destination ? 2 : 1;
        if (modifiers.others.size() != 2 || modifiers.others[1] != "sync" || modifiers.types.size() != 1 ||
            !among("b32 b64", modifiers.types[0]) || one.operands.size() != first + 2)
            unknown(one);
        const std::string arguments =
            source_as("u32", one.operands[first + 1]) + ", " + source_as(modifiers.types[0], one.operands[first]);
        if (modifiers.others[0] == "any" && first == 1)
            return put(one.operands[0], std::string(kScope) + "__match_any_sync(" + arguments + ")");
        if (modifiers.others[0] != "all") unknown(one);
        const std::string name = new_variable("int", "0");
        put(one.operands[0], std::string(kScope) + "__match_all_sync(" + arguments + ", &" + name + ")");
        if (first == 2) put(one.operands[1], "(" + name + " != 0)");
    }

    void active(const Instruction& one, const Modifiers&) {
        expect_operands(one, 1);
        put(one.operands[0], std::string(kScope) + "__activemask()");
    }

    void reduce(const Instruction& one, const Modifiers& modifiers) {
        if (modifiers.others.size() != 2 || modifiers.others[0] != "sync" ||
            !among("add min max and or xor", modifiers.others[1]) || modifiers.types.size() != 1 ||
            !among("u32 s32 b32", modifiers.types[0]))
            unknown(one);
        expect_operands(one, 3);
        put(one.operands[0], std::string(kScope) + "__reduce_" + modifiers.others[1] + "_sync(" +
                                 source_as("u32", one.operands[2]) + ", " +
                                 source_as(modifiers.types[0], one.operands[1]) + ")");
    }

    void elect(const Instruction& one, const Modifiers& modifiers) {
        if (modifiers.others.size() != 1 || !one.has_second_destination) unknown(one);
        expect_operands(one, 3);
        const std::string leader = std::string(kPtx) + "leader(" + source_as("u32", one.operands[2]) + ")";
        put(one.operands[0], leader);
        put(one.operands[1], "(" + leader + " == " + std::string(kPtx) + "lane())");
    }

    // -- matrices of a warp ----------------------------------------------------------------------------------------

    /// A list's registers; one alone needs no braces.
    static const std::vector<Operand> registers(const Operand& operand) {
        return operand.kind == Operand::Kind::list ? operand.parts : std::vector<Operand>{operand};
    }
    /// Values for a Registers of so many of a type.
    std::string register_values(const Instruction& one, const std::string& type, const Operand& operand,
                                std::size_t count) const {
        const std::vector<Operand> parts = registers(operand);
        if (parts.size() != count)
            throw PtxError(one.offset, one.opcode() + " with " + std::to_string(parts.size()) + " registers for " +
                                           std::to_string(count));
        std::string values;
        for (const Operand& part : parts) values += (values.empty() ? "" : ", ") + as(type, source(part));
        return "{{" + values + "}}";
    }
    void put_registers(const Instruction& one, const Operand& to, std::size_t count, const std::string& value) {
        const std::vector<Operand> parts = registers(to);
        if (parts.size() != count) unknown(one);
        const std::string name = new_variable("const auto", value);
        for (std::size_t i = 0; i < count; ++i) put(parts[i], name + ".lane[" + std::to_string(i) + "]");
    }

    void multiply(const Instruction& one, const Modifiers&) {
        std::vector<std::string> words = one.modifiers;
        const bool saturate = std::erase(words, "satfinite") > 0;
        const MatrixProduct* const product = words.size() == 9 ? matrix_product(words[2], words[6], words[7]) : nullptr;
        if (!product || words[0] != "sync" || words[1] != "aligned" || words[3] != "row" || words[4] != "col" ||
            !among(product->sums, words[5]) || !among(product->sums, words[8]) || (saturate && product->sums != "s32"))
            unknown(one);
        expect_operands(one, 4);
        const std::string sum_register = words[8] == "f16" ? "unsigned int" : cpp_type(words[8]);
        const std::size_t sums = product->rows / 4;
        const auto count = [&](const std::string& type) { return type == "f16" ? sums / 2 : sums; };
        const std::string factor = product->bits == 64 ? "double" : "unsigned int";
        const std::size_t per_line = product->depth * product->bits / (product->bits == 64 ? 64 : 32);
        const std::string value = std::string(kPtx) + "multiply<" + std::to_string(product->rows) + ", " +
                                  std::to_string(product->depth) + ", " + matrix_element(words[6]) + ", " +
                                  matrix_element(words[7]) + ", " + cpp_type(words[5]) + ", " + cpp_type(words[8]) +
                                  ", " + (saturate ? "true" : "false") + ">(" +
                                  register_values(one, factor, one.operands[1], product->rows * per_line / 32) + ", " +
                                  register_values(one, factor, one.operands[2], 8 * per_line / 32) + ", " +
                                  register_values(one, sum_register, one.operands[3], count(words[8])) + ")";
        put_registers(one, one.operands[0], count(words[5]), value);
    }

    /// How many matrices of 8 x 8 elements of 16 bits there are, and whether they are transposed.
    std::pair<std::size_t, std::string> matrices(const Instruction& one, const Modifiers& modifiers) const {
        std::size_t count = 0;
        for (const std::string& word : modifiers.others) {
            if (word == "x1" || word == "x2" || word == "x4")
                count = static_cast<std::size_t>(word[1] - '0');
            else if (!among("sync aligned m8n8 trans shared shared::cta", word))
                unknown(one);
        }
        if (count == 0 || !modifiers.has("m8n8") || modifiers.types != std::vector<std::string>{"b16"}) unknown(one);
        expect_operands(one, 2);
        return {count, "<" + std::to_string(count) + (modifiers.has("trans") ? ", true>(" : ", false>(")};
    }
    void load_matrices(const Instruction& one, const Modifiers& modifiers) {
        const auto [count, arguments] = matrices(one, modifiers);
        put_registers(one, one.operands[0], count,
                      std::string(kPtx) + "load_matrices" + arguments +
                          pointer(one, modifiers, one.operands[1], std::string("const ") + kRow) + ")");
    }
    void store_matrices(const Instruction& one, const Modifiers& modifiers) {
        const auto [count, arguments] = matrices(one, modifiers);
        result_ += std::string(kPtx) + "store_matrices" + arguments +
                   pointer(one, modifiers, one.operands[0], std::string(kRow)) + ", " +
                   register_values(one, "unsigned int", one.operands[1], count) + "); ";
    }
    void transpose_matrix(const Instruction& one, const Modifiers& modifiers) {
        if (!modifiers.has("m8n8") || !modifiers.has("trans") || modifiers.types != std::vector<std::string>{"b16"})
            unknown(one);
        expect_operands(one, 2);
        put(one.operands[0], std::string(kPtx) + "transposed_matrix(" + source_as("b32", one.operands[1]) + ")");
    }

    void sleep(const Instruction& one, const Modifiers&) {
        expect_operands(one, 1);
        result_ += std::string(kScope) + "__nanosleep(" + source_as("u32", one.operands[0]) + "); ";
    }

    void trap(const Instruction&, const Modifiers&) { result_ += std::string(kScope) + "__trap(); "; }

    const std::vector<AssemblyOperand>& operands_;
    /// The declared registers by name, innermost braces last.
    std::vector<std::map<std::string, std::string, std::less<>>> scopes_;
    int declared_ = 0;
    std::string result_;
};

}  // namespace

std::string cache_hint(std::size_t number) { return std::string(kCacheHint) + std::to_string(number) + "_"; }

std::string register_type(char constraint) {
    switch (constraint) {
        case 'h': return "unsigned short";
        case 'r': return "unsigned int";
        case 'l': return "unsigned long long";
        case 'f': return "float";
        case 'd': return "double";
        default: return "";
    }
}

std::string ptx_calls(std::string_view text, const std::vector<AssemblyOperand>& operands) {
    return Writer(operands).run(text);
}

}  // namespace lanework::cudafe
