// Writes references in place of __shared__ declarations.
#include "src/cudafe/shared.hpp"

#include "src/cudafe/own_names.hpp"

namespace lanework::cudafe {
namespace {

class SharedRewriter {
public:
    SharedRewriter(const Stream& stream, const Brackets& brackets, const Declaration& declaration, Edits& edits)
        : tokens_(stream.tokens), brackets_(brackets), declaration_(declaration), edits_(edits) {}

    void static_memory() {
        for (const std::size_t i : declaration_.specifiers) remove(i);
        for (const Declarator& one : declaration_.declarators) {
            bind(one, "&", one.behind_name < one.end && (is(one.behind_name, "[") || is(one.behind_name, "(")));
            initialize(one, slot());
        }
    }

    void dynamic_memory() {
        for (const std::size_t i : declaration_.specifiers) remove(i);
        for (const Declarator& one : declaration_.declarators) {
            const std::size_t rest = behind_length(one);
            bind(one, "*const ", rest < one.end);
            for (std::size_t i = one.behind_name; i < rest; ++i) remove(i);
            initialize(one, "::lanework_simt::dynamic_shared<" + element(one) + ">()");
        }
    }

    void dynamic_memory_of_file() {
        for (const Declarator& one : declaration_.declarators) {
            for (std::size_t i = one.begin; i < one.end; ++i)
                if (i < one.name || i >= one.behind_name) remove(i);
            if (!is_first(one)) edits_.replace(tokens_[one.begin - 1].offset, 1, ";");
            edits_.insert(tokens_[one.name].offset,
                          "[[maybe_unused]] static ::lanework_simt::DynamicShared<" + element(one) + "> ");
        }
    }

    /// Outside functions a variable becomes a function that gives the block's: its uses get parentheses.
    void static_memory_of_file() {
        if (declaration_.declarators.size() != 1)
            throw MalformedError(tokens_[declaration_.begin].offset,
                                 "__shared__ variables outside functions: expected one in each declaration");
        const Declarator& one = declaration_.declarators[0];
        edits_.insert(tokens_[declaration_.begin].offset, "[[maybe_unused]] static inline ");
        for (const std::size_t i : declaration_.specifiers) remove(i);
        const bool subscripts = one.behind_name < one.end;
        edits_.insert(tokens_[one.name].offset, subscripts ? "(&" : "&");
        edits_.insert(tokens_[one.behind_name - 1].end(), subscripts ? "())" : "()");
        edits_.replace(tokens_[declaration_.end].offset, 1, " { return " + slot() + "; }");
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return tokens_[i].is(spelling); }
    bool is_first(const Declarator& one) const { return one.begin == declaration_.begin; }

    /// Token by token, so that the line ends and comments in between stay.
    void remove(std::size_t i) { edits_.remove(tokens_[i].offset, tokens_[i].length); }

    /// Turns the declared `name` into `prefix name`, in parentheses where something behind it binds tighter.
    void bind(const Declarator& one, std::string_view prefix, bool parentheses) {
        edits_.insert(tokens_[one.name].offset, (parentheses ? "(" : "") + std::string(prefix));
        if (parentheses) edits_.insert(tokens_[one.behind_name - 1].end(), ")");
    }

    void initialize(const Declarator& one, const std::string& value) {
        edits_.insert(tokens_[one.end - 1].end(), " = " + value);
    }

    /// Each expression makes a slot of its own, since each lambda is a type of its own: a macro that declares shared
    /// memory can be used twice in one scope.
    std::string slot() const {
        const std::string& alignment = declaration_.alignment;
        const std::string aligned = alignment.empty() ? "" : "struct " + alignment + "lanework_aligned {}; ";
        const std::string type = alignment.empty() ? "SharedSlot" : "SharedSlotAligned<alignof(lanework_aligned)>";
        return "[]() -> auto& { " + aligned + "static thread_local ::lanework_simt::" + type +
               " lanework_slot; return lanework_slot; }()";
    }

    /// The launch gives an extern array its length: the token behind the first subscript.
    std::size_t behind_length(const Declarator& one) const {
        if (one.behind_name >= one.end || !is(one.behind_name, "["))
            throw MalformedError(tokens_[one.name].offset,
                                 "extern __shared__ memory gets its length from the launch: expected an array, " +
                                     std::string(tokens_[one.name].text) + "[]");
        return brackets_.match(one.behind_name) + 1;
    }

    /// What an element of an extern array is: the declared type, the declarator's pointers, and later subscripts.
    std::string element(const Declarator& one) const {
        std::vector<std::size_t> parts;
        const auto take = [&](std::size_t begin, std::size_t end) {
            for (; begin < end; ++begin)
                if (!declaration_.specifiers.contains(begin)) parts.push_back(begin);
        };
        const std::size_t name = declaration_.declarators[0].name, type_end = base_type_end();
        take(declaration_.begin, is_first(one) ? name : type_end);
        if (!is_first(one)) take(one.begin, one.name);
        take(behind_length(one), one.end);
        return text(parts);
    }

    /// Where the pointers of the first declarator begin: `float *a[], b[]` declares pointers and floats.
    std::size_t base_type_end() const {
        const std::size_t name = declaration_.declarators[0].name;
        for (std::size_t i = declaration_.begin; i < name; ++i) {
            if (is(i, "*")) return i;
            if (!is(i, "<")) continue;
            const std::size_t close = brackets_.closing_angle(i);
            if (close != kNone) i = close;
        }
        return name;
    }

    std::string text(const std::vector<std::size_t>& parts) const {
        std::string result;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const bool apart = k > 0 && (parts[k] != parts[k - 1] + 1 || !brackets_.adjacent(parts[k - 1]));
            if (apart && !is(parts[k], "[")) result += ' ';
            result += tokens_[parts[k]].text;
        }
        return result;
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const Declaration& declaration_;
    Edits& edits_;
};

}  // namespace

FileVariables rewrite_shared(const Stream& stream, const Brackets& brackets, const SharedWords& words, bool macro_body,
                             Edits& edits) {
    FileVariables of_file;
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        const Token& token = stream.tokens[i];
        if (!token.identifier() || !words.contains(token.text)) continue;
        const Declaration declaration = read_declaration(stream, brackets, words, macro_body, i);
        const bool inside = macro_body || brackets.in_function(i);
        SharedRewriter rewriter(stream, brackets, declaration, edits);
        if (!inside)
            for (const Declarator& one : declaration.declarators)
                of_file.emplace(stream.tokens[one.name].text, declaration.end);
        if (!declaration.is_extern && !inside)
            rewriter.static_memory_of_file();
        else if (!declaration.is_extern)
            rewriter.static_memory();
        else if (inside)
            rewriter.dynamic_memory();
        else
            rewriter.dynamic_memory_of_file();
        i = declaration.end;
    }
    return of_file;
}

void rewrite_uses(const Stream& stream, const Brackets& brackets, const FileVariables& variables, bool macro_body,
                  Edits& edits) {
    if (variables.empty()) return;
    const OwnNames own(stream, brackets, [&](std::string_view word) { return variables.count(word) != 0; });
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        const auto found = variables.find(stream.tokens[i].text);
        if (!stream.tokens[i].identifier() || found == variables.end()) continue;
        const bool behind = macro_body || i > found->second;
        if (behind && !own.is_member(i) && !own.shadowed(i)) edits.insert(stream.tokens[i].end(), "()");
    }
}

}  // namespace lanework::cudafe
