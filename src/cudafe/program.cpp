// Follows quoted includes, decides which files need a translated copy, and writes the text of each.
#include "src/cudafe/program.hpp"

#include "src/cudafe/barrier_regions.hpp"

#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>

#include "src/cudafe/cursor.hpp"
#include "src/cudafe/host_calls.hpp"
#include "src/cudafe/plain_groups.hpp"

namespace lanework::cudafe {
namespace {

namespace fs = std::filesystem;

struct File {
    Source source;
    TokenizedFile tokens;
    Edits edits;
    /// What each of the includes is; null for files that are not found here: the compiler's, the system's.
    std::vector<File*> includes;
    /// Whether each was found beside this file, where a copy of this file would not find it.
    std::vector<bool> beside;
    bool copied = false;
};

fs::path normal_path(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

std::string read_text(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) throw TranslationError(path.string() + ": error: cannot be read: " + std::strerror(errno));
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw TranslationError(path.string() + ": error: is written in UTF-16; compilers read UTF-8");
    return text;
}

class Program {
public:
    explicit Program(const Request& request) : request_(request), output_(normal_path(request.output)) {}

    Translation run() {
        File& main = load(normal_path(request_.input));
        if (request_.regions && !request_.more_text) cut_kernels();
        for (const std::string& macro : request_.macros) define_macro(macro, words_);
        for (const auto& file : order_) guarded(*file, [&] { collect_macros(file->tokens, words_); });
        for (const auto& file : order_) guarded(*file, [&] { collect_words(file->tokens, words_); });
        for (const auto& file : order_)
            if (!of_cccl(*file)) guarded(*file, [&] { collect_shared(file->tokens, words_); });
        collect_volatile(own_files(), request_.lockstep, words_);
        if (request_.architecture) collect_device_code(own_files(), words_);
        if (request_.rounds)
            for (const TokenizedFile* file : own_files()) collect_rounds(*file, words_);
        if (request_.more_text) words_.waiting.give_up();
        if (request_.architecture && !request_.more_text) refuse_host_calls();
        const bool architecture = words_.architecture;
        for (const auto& file : order_) {
            words_.architecture = architecture && !of_cccl(*file);
            words_.lockstep = of_cccl(*file) ? Lockstep::none : request_.lockstep;
            words_.rounds = request_.rounds && !of_cccl(*file);
            words_.shifts = !of_cccl(*file);
            guarded(*file, [&] { file->edits = translate(file->tokens, words_); });
        }
        mark_copied(main);
        return write(main);
    }

private:
    /// Puts into the program's own texts what its kernels are in loops between their barriers: on the line of the `{`
    /// behind which it stands, so that all else is translated as it would be, and lines stay.
    void cut_kernels() {
        Waiting waiting;
        ProgramNames names;
        DeviceFunctions functions;
        std::deque<Brackets> all_brackets;
        const std::vector<PlainText> plain = plain_texts();
        std::deque<TokenizedFile> read;
        for (const std::string& macro : request_.macros) {
            waiting.define(macro);
            names.define(macro);
        }
        for (std::size_t i = 0; i < order_.size(); ++i) {
            guarded(*order_[i], [&] {
                const TokenizedFile& file =
                    read.emplace_back(plain.empty() ? order_[i]->tokens : tokenize(plain[i].text));
                all_brackets.emplace_back(file.code, file.conditionals);
                waiting.add_macros(file);
            });
        }
        for (std::size_t i = 0; i < order_.size(); ++i) {
            guarded(*order_[i], [&] {
                waiting.add(read[i], all_brackets[i]);
                names.add(read[i], all_brackets[i]);
                functions.add(read[i], all_brackets[i]);
            });
        }
        std::map<File*, std::vector<CutKernel>> cut;
        std::set<std::string, std::less<>> uncut;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const auto& file = order_[i];
            if (of_cccl(*file)) continue;
            for (CutKernel& kernel : cut_at_barriers(read[i], all_brackets[i], waiting, names, functions)) {
                if (!plain.empty()) kernel.offset = plain[i].original(kernel.offset);
                (kernel.text.empty() ? uncut : words_.cut_kernels).insert(kernel.name);
                cut[file.get()].push_back(std::move(kernel));
            }
        }
        // Of several kernels of a name all are, or none.
        for (const std::string& name : uncut) words_.cut_kernels.erase(name);
        for (auto& [file, kernels] : cut) insert_cut(*file, kernels);
    }
    /// The files' texts without the groups that are plain CUDA; none where no file has any.
    std::vector<PlainText> plain_texts() const {
        std::vector<const TokenizedFile*> files;
        bool groups = false;
        for (const auto& file : order_) {
            files.push_back(&file->tokens);
            for (const Include& each : file->tokens.includes) groups = groups || each.path == "cooperative_groups.h";
        }
        return groups ? plain_groups(files) : std::vector<PlainText>();
    }
    void insert_cut(File& file, const std::vector<CutKernel>& kernels) {
        for (auto kernel = kernels.rbegin(); kernel != kernels.rend(); ++kernel)
            if (words_.cut_kernels.contains(kernel->name)) {
                file.source.text.insert(kernel->offset, kernel->text);
                warps_meet_ = warps_meet_ || kernel->text.find("::warp_regions::") != std::string::npos;
            }
        guarded(file, [&] { file.tokens = tokenize(file.source.text); });
    }

    std::vector<const TokenizedFile*> own_files() const {
        std::vector<const TokenizedFile*> files;
        for (const auto& file : order_)
            if (!of_cccl(*file)) files.push_back(&file->tokens);
        return files;
    }
    /// NVIDIA's libraries choose by macros of their own.
    bool of_cccl(const File& file) const {
        return !request_.cccl.empty() && file.source.path.starts_with(normal_path(request_.cccl).string() + "/");
    }

    void refuse_host_calls() const {
        HostCalls calls(request_.relaxed);
        for (const std::string& macro : request_.macros) calls.define(macro);
        for (const auto& file : order_) {
            if (includes_unknown(*file)) return;
            guarded(*file, [&] {
                calls.add(file->tokens, Brackets(file->tokens.code, file->tokens.conditionals), words_.device);
            });
        }
        for (const auto& file : order_)
            if (!of_cccl(*file))
                guarded(*file, [&] {
                    calls.check(file->tokens, Brackets(file->tokens.code, file->tokens.conditionals), words_.device,
                                [&](std::string_view word) { return names_of_cuda(word); });
                });
    }
    /// Another project's file that is not understood may define anything.
    bool includes_unknown(const File& file) const {
        for (std::size_t i = 0; i < file.includes.size(); ++i)
            if (!file.includes[i] && !in_folders(file.tokens.includes[i].path).empty()) return true;
        return false;
    }
    /// Whether the word stands anywhere in the simt device's headers.
    bool names_of_cuda(std::string_view word) const {
        std::error_code error;
        for (const auto& entry : fs::recursive_directory_iterator(request_.headers, error)) {
            if (!entry.is_regular_file()) continue;
            const std::string text = read_text(entry.path());
            for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
                const bool begins = at == 0 || !continues_word(text[at - 1]);
                const std::size_t end = at + word.size();
                if (begins && (end == text.size() || !continues_word(text[end]))) return true;
            }
        }
        return false;
    }

    /// Completes a message with the place in the file.
    template <class Body>
    static void guarded(const File& file, const Body& body) {
        try {
            body();
        } catch (const MalformedError& error) {
            throw TranslationError(describe(file.source, error));
        }
    }

    File& load(const fs::path& path) {
        if (const auto known = files_.find(path); known != files_.end()) return *known->second;
        File& file = *order_.emplace_back(std::make_unique<File>());
        files_[path] = &file;
        const auto text = request_.texts.find(path);
        file.source = {path.string(), text == request_.texts.end() ? read_text(path) : text->second};
        guarded(file, [&] { file.tokens = tokenize(file.source.text); });
        for (const Include& include : file.tokens.includes) {
            const fs::path local = normal_path(path.parent_path() / include.path);
            const bool beside = !include.angled && fs::is_regular_file(local);
            const fs::path found = beside ? local : in_folders(include.path);
            if (found.empty()) load_replaced(include.path);
            file.includes.push_back(found.empty() ? nullptr : include.angled ? load_library(found) : &load(found));
            file.beside.push_back(beside);
        }
        return file;
    }

    /// A file that may be another project's, whose text need not be what is understood here: such a file is used where
    /// it is.
    File* load_library(const fs::path& path) {
        const std::size_t known = order_.size();
        try {
            return &load(path);
        } catch (const TranslationError&) {
            for (; order_.size() > known; order_.pop_back())
                std::erase_if(files_, [&](const auto& file) { return file.second == order_.back().get(); });
            return nullptr;
        }
    }

    /// A file of CUB for which the simt device's headers have another.
    bool is_replaced(std::string_view name) const {
        return name.starts_with("cub/") && !request_.cccl.empty() && fs::is_regular_file(request_.headers / name);
    }
    /// The other file includes it all the same (#include_next), and finds its copy in the folder of copies.
    void load_replaced(std::string_view name) {
        if (!is_replaced(name)) return;
        if (const fs::path path = normal_path(request_.cccl / name); fs::is_regular_file(path)) load_library(path);
    }

    fs::path in_folders(std::string_view name) const {
        if (name.starts_with("cub/") && !request_.cccl.empty()) {
            if (is_replaced(name)) return {};
            if (const fs::path candidate = normal_path(request_.cccl / name); fs::is_regular_file(candidate))
                return candidate;
        }
        for (const fs::path& folder : request_.include_folders) {
            if (holds_toolkit(folder)) continue;
            if (const fs::path candidate = normal_path(folder / name); fs::is_regular_file(candidate)) return candidate;
        }
        return {};
    }

    /// NVIDIA's headers are not a program's: the simt device has its own of their names.
    static bool holds_toolkit(const fs::path& folder) { return fs::is_regular_file(folder / "cuda_runtime_api.h"); }

    /// A file needs a copy when it has edits or includes a file that needs one; circles are settled by repeating.
    void mark_copied(File& main) {
        for (const auto& file : order_)
            file->copied = !file->edits.empty() || request_.texts.contains(file->source.path);
        main.copied = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& file : order_)
                for (const File* included : file->includes)
                    if (included && included->copied && !file->copied) file->copied = changed = true;
        }
    }

    fs::path copy_of(const File& file) const {
        fs::path folder = output_;
        folder += ".includes";
        return folder / fs::path(file.source.path).relative_path();
    }

    void point_includes(File& file) const {
        for (std::size_t i = 0; i < file.includes.size(); ++i) {
            const File* included = file.includes[i];
            const Include& include = file.tokens.includes[i];
            if (included && included->copied)
                file.edits.replace(include.offset, include.length, copy_of(*included).string());
            else if (included && file.beside[i])
                file.edits.replace(include.offset, include.length, included->source.path);
        }
    }

    /// Stands before the main file's text.
    std::string head() const {
        return std::string("#define __CUDACC__ 1\n#include <cuda_runtime.h>\n") +
               (request_.architecture ? "#define __NVCC__ 1\n" : "") +
               (request_.lockstep != Lockstep::none ? "#include <lanework_simt/lockstep.hpp>\n" : "") +
               (warps_meet_ ? "#include <lanework_simt/warp_regions.hpp>\n" : "");
    }

    Translation write(File& main) {
        Translation result;
        for (const auto& file : order_) {
            result.read.emplace_back(file->source.path);
            if (!file->copied) continue;
            point_includes(*file);
            std::string text = file.get() == &main ? head() : "";
            text += "#line 1 " + string_literal(file->source.path) + '\n';
            guarded(*file, [&] { text += file->edits.apply(file->source.text); });
            result.files[file.get() == &main ? output_ : copy_of(*file)] = std::move(text);
        }
        return result;
    }

    const Request& request_;
    fs::path output_;
    std::map<fs::path, File*> files_;
    /// In the order of their first inclusion.
    std::vector<std::unique_ptr<File>> order_;
    Words words_;
    /// A kernel is cut at operations of the warp.
    bool warps_meet_ = false;
};

}  // namespace

Translation translate_program(const Request& request) { return Program(request).run(); }

}  // namespace lanework::cudafe
