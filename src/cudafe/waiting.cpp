// Reachability by name over what was read of the texts (waiting_texts.cpp).
#include "src/cudafe/waiting.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/warp_calls.hpp"

namespace lanework::cudafe {
namespace {

bool is_builtin_index(std::string_view word) {
    return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

/// Whether a word is one of CUDA's vectors, which a program may have operators for.
bool is_vector(std::string_view word) {
    constexpr std::array<std::string_view, 12> kElements{"char", "uchar", "short",    "ushort",    "int",   "uint",
                                                         "long", "ulong", "longlong", "ulonglong", "float", "double"};
    for (const char* alignment : {"_16a", "_32a"})
        if (word.ends_with(alignment)) word.remove_suffix(4);
    return !word.empty() && word.back() >= '1' && word.back() <= '4' &&
           among(word.substr(0, word.size() - 1), kElements);
}

/// A function at which threads wait for others of their block or warp.
bool is_wait(std::string_view word) { return word == "__syncthreads" || warp_operation(word); }

}  // namespace

bool Waiting::reaches_itself(const std::string& function) const {
    std::vector<std::string_view> open{function};
    std::set<std::string_view> seen;
    while (!open.empty()) {
        const auto [first, last] = functions_.equal_range(open.back());
        open.pop_back();
        for (auto each = first; each != last; ++each)
            for (const auto* words : {&each->second.called, &each->second.named})
                for (const std::string& word : *words) {
                    if (word == function && (each->first != function || words == &each->second.called)) return true;
                    if (functions_.find(word) != functions_.end() && seen.insert(word).second) open.push_back(word);
                }
    }
    return false;
}

/// Whether kernels may call the function, by the words ahead of its name or by a declaration's.
bool Waiting::is_of_device(const std::string& name, const Text& text) const {
    WordSet seen;
    std::vector<std::string> open(text.specifiers.begin(), text.specifiers.end());
    if (text.scoped)
        for (auto [each, last] = declarations_.equal_range(name); each != last; ++each)
            open.insert(open.end(), each->second.begin(), each->second.end());
    while (!open.empty()) {
        const std::string word = std::move(open.back());
        open.pop_back();
        if (word == "__device__" || word == "__global__" || word == "constexpr" || word == "consteval") return true;
        // A macro may say so.
        for (auto [each, last] = macros_.equal_range(word); each != last; ++each)
            for (const std::string& next : each->second.named)
                if (seen.insert(next).second) open.push_back(next);
    }
    return false;
}

/// Whether kernels may call the function without its name.
bool Waiting::called_implicitly(const std::string& name, const Text& text) const {
    return (text.implicit || types_.contains(name)) && is_of_device(name, text);
}

bool Waiting::leads_to(std::string_view macro, std::string_view word) const {
    WordSet words;
    names_.add_meanings(macro, words);
    return words.contains(word);
}

/// Whether the macro, or one that it is made of, writes functions that are called without their names.
bool Waiting::writes_implicit(std::string_view macro) const {
    WordSet words;
    names_.add_meanings(macro, words);
    return std::ranges::any_of(words, [&](const std::string& word) {
        const auto [first, last] = macros_.equal_range(word);
        return std::any_of(first, last, [](const auto& each) { return each.second.implicit; });
    });
}

const Waiting::Writers& Waiting::writers() const {
    if (writers_) return *writers_;
    writers_.emplace();
    for (auto each = macros_.begin(); each != macros_.end(); each = macros_.upper_bound(each->first)) {
        const std::string& name = each->first;
        const auto ahead = ahead_of_macros_.find(name);
        Text use;
        if (ahead != ahead_of_macros_.end()) use.specifiers = ahead->second;
        if (!leads_to(name, "__device__") && !is_of_device(name, use)) continue;
        // A kernel stands in no class, where what is called by the name of the class would be.
        const bool implicit = writes_implicit(name);
        if (implicit || !leads_to(name, "__global__")) writers_->emplace(name, implicit);
    }
    return *writers_;
}

/// Whether a value may call the function where these words are all that there is of types.
bool Waiting::has_operand(const Text& text, const WordSet& words) const {
    const auto is_there = [&](const std::string& type) {
        if (words.contains(type)) return true;
        // A thread's place is one; what makes vectors is called by their names, and two floats are a complex number.
        if (!is_vector(type)) return false;
        return type == "uint3" || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
                   return word.find(type) != word.npos || (type.back() == '2' && word.find("Complex") != word.npos);
               });
    };
    for (const WordSet& operand : text.operands) {
        WordSet names;
        bool number = false, known = false;
        for (const std::string& word : operand) {
            number = number || is_number(word);
            if (!names_.is_type(word) && !is_vector(word)) continue;
            known = true;
            names_.add_meanings(word, names);
        }
        for (const std::string& word : names)
            if ((names_.is_type(word) || is_vector(word)) && is_there(word)) return true;
        if (!known && !number) return true;
    }
    return text.operands.empty();
}

/// Whether the text may be that of a function whose calls give way to it: it is called by its name.
bool Waiting::may_be_inlined(std::string_view name, const Text& text) const {
    return functions_.count(name) == 1 && macros_.find(name) == macros_.end() &&
           !called_implicitly(std::string(name), text) && !reaches_itself(std::string(name));
}

bool Waiting::waits(std::string_view function) const {
    std::vector<std::string_view> open{function};
    std::set<std::string_view> seen{function};
    while (!open.empty()) {
        const std::string_view name = open.back();
        open.pop_back();
        for (const Texts* texts : {&functions_, &macros_})
            for (auto [each, last] = texts->equal_range(name); each != last; ++each) {
                if (each->second.shared) return true;
                for (const auto* words : {&each->second.called, &each->second.named})
                    for (const std::string& word : *words) {
                        if (is_wait(word)) return true;
                        if (seen.insert(word).second) open.push_back(word);
                    }
                for (const std::string& word : each->second.members)
                    if (macros_.contains(word) && seen.insert(word).second) open.push_back(word);
            }
    }
    return false;
}

/// What a call of `word` in the text calls, where that is no function's name: an object with an operator(), or a value
/// of a type that a template leaves open.
Waiting::Callee Waiting::callee(std::string_view word, const Text& text) const {
    const auto object = text.objects.find(word);
    if (object == text.objects.end()) return Callee::unknown;
    // A class may have the name of a template's parameter.
    const bool parameter = text.any_types || parameters_.contains(object->second);
    const bool is_class = names_.is_class(object->second);
    if (is_class && !parameter) return Callee::object;
    const bool open =
        object->second == "auto" || is_class || (types_.contains(object->second) && !names_.is_type(object->second));
    // Another file says which functions a variable of its own points to.
    return open && !names_.has_device_variables_elsewhere() ? Callee::value : Callee::unknown;
}

/// The functions for the device whose addresses a program may take: they are named without being called.
WordSet Waiting::addressed() const {
    WordSet found;
    const auto take = [&](const std::string& word) {
        for (auto [each, last] = functions_.equal_range(word); each != last; ++each)
            if (!each->second.specifiers.contains("__global__") && is_of_device(word, each->second)) found.insert(word);
    };
    for (const Texts* texts : {&functions_, &macros_})
        for (const auto& [name, text] : *texts)
            for (const std::string& word : text.named) take(word);
    for (const std::string& word : names_.mentioned()) take(word);
    return found;
}

Waiting::Run Waiting::run_of(std::string_view kernel) const {
    const auto [first, last] = functions_.equal_range(kernel);
    if (unknown_ || first == last) return {};
    bool knows_block = false, place_elsewhere = false, atomics = false, spins = false, waits = false, reduces = false;
    std::vector<std::pair<std::string_view, const Text*>> open;
    // A name that is called is also a function's of which it is not known whether it is for the device.
    std::set<std::string_view> called_words{kernel}, named_words{kernel};
    // All words that come up, and what they are made of.
    WordSet words;
    // Most kernels call no values.
    std::optional<WordSet> pointed_to;
    const auto reach = [&](std::string_view word, bool called) {
        names_.add_parts(word, words);
        if (!(called ? called_words : named_words).insert(word).second) return;
        for (const Texts* texts : {&functions_, &macros_})
            for (auto [each, end] = texts->equal_range(word); each != end; ++each)
                if (called || texts == &macros_ || is_of_device(each->first, each->second))
                    open.emplace_back(each->first, &each->second);
    };
    bool any_types = false;
    for (auto each = first; each != last; ++each) {
        open.emplace_back(each->first, &each->second);
        any_types = any_types || each->second.any_types;
    }
    std::vector<std::pair<std::string_view, const Text*>> implicit;
    for (const auto& [name, text] : functions_)
        if (called_implicitly(name, text)) implicit.emplace_back(name, &text);
    // What macros write at file scope may be for any type; what they write in a class is for who comes to that.
    std::vector<std::pair<std::string_view, bool>> written(writers().begin(), writers().end());
    const auto reach_implicit = [&] {
        std::erase_if(written, [&](const auto& each) {
            const bool reached = any_types || each.second || words.contains(each.first);
            if (reached)
                for (auto [macro, end] = macros_.equal_range(each.first); macro != end; ++macro)
                    open.emplace_back(macro->first, &macro->second);
            return reached;
        });
        std::erase_if(implicit, [&](const auto& each) {
            const bool reached = any_types || has_operand(*each.second, words);
            if (reached) open.push_back(each);
            return reached;
        });
        return !open.empty();
    };
    while (!open.empty() || reach_implicit()) {
        const auto [name, text] = open.back();
        open.pop_back();
        const bool casts = std::all_of(text->types.begin(), text->types.end(),
                                       [&](const std::string& word) { return types_.contains(word); });
        knows_block = knows_block || text->knows_block;
        spins = spins || text->may_spin || reaches_itself(std::string(name));
        const bool own = name == kernel || may_be_inlined(name, *text);
        if (text->opaque || !casts || (text->shared && !own)) return {};
        waits = waits || text->shared;
        reduces = reduces || text->reduces;
        for (const std::string& word : text->named) {
            // A function that is not inlined would read another file's indices where two files have it.
            const bool index = is_builtin_index(word) && name != kernel;
            place_elsewhere = place_elsewhere || (name != kernel && (word == "threadIdx" || word == "blockIdx"));
            if (index && functions_.find(name) != functions_.end() && reaches_itself(std::string(name))) return {};
            reach(word, false);
        }
        for (const std::string& word : text->members)
            if (macros_.contains(word)) reach(word, false);
        for (const std::string& word : text->called) {
            if (is_keyword(word)) continue;
            if (is_wait(word) && own) {
                waits = true;
                continue;
            }
            const bool known = functions_.find(word) != functions_.end() || macros_.find(word) != macros_.end();
            atomics = atomics || is_atomic(word);
            if (!known && !computes(word) && !is_atomic(word) && !is_known_type(word) && !types_.contains(word)) {
                const Callee called = callee(word, *text);
                if (called == Callee::unknown) return {};
                if (called == Callee::value && !pointed_to) {
                    pointed_to = addressed();
                    for (const std::string& function : *pointed_to) reach(function, true);
                }
            }
            reach(word, true);
        }
    }
    const bool of_library = std::any_of(libraries_.begin(), libraries_.end(), [&](const std::string& library) {
        return any_types || words.contains(library) || opened_.contains(library);
    });
    if (of_library) return {};
    // Where a loop might not end by itself, an atomic operation's old value is nobody's between barriers.
    if (waits) return {atomics && spins ? ThreadOrder::fibers : ThreadOrder::regions, false};
    atomics = atomics || reduces;
    if (atomics && spins) return {};
    return {knows_block ? ThreadOrder::blocks : order_of_rows(kernel, place_elsewhere), atomics};
}

/// Every definition of that name has to be one whose threads take part in the same way.
ThreadOrder Waiting::order_of_rows(std::string_view kernel, bool place_elsewhere) const {
    const auto range = rounds_.equal_range(kernel);
    if (range.first == range.second || functions_.count(kernel) != rounds_.count(kernel)) return ThreadOrder::rows;
    const auto all = [&](bool strides) {
        return std::all_of(range.first, range.second,
                           [&](const auto& each) { return each.second && each.second->strides == strides; });
    };
    if (all(true) && !place_elsewhere) return ThreadOrder::strides;
    return all(false) ? ThreadOrder::guarded : ThreadOrder::rows;
}

}  // namespace lanework::cudafe
