// Results as they come in: what was finished is shown and written, however the command ends.
#pragma once

#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "src/cli/exports.hpp"
#include "src/cli/interrupt.hpp"

namespace lanework {

/// "3 of 17", and a line for people: "interrupted: 3 of 17 are finished; they are in r.json".
std::string count_finished(std::size_t finished, std::size_t all);
std::string describe_kept(std::size_t finished, std::size_t all, const Exports& exports);

/// Collects what a command finishes, of `all` that it is to do. end() shows it and writes it to the files of `exports`.
/// A signal, a reader that is gone or an error in between has what was finished until then written all the same.
template <class T>
class Finished {
public:
    /// Prints what people read; may be empty where that was printed on the way.
    using Show = std::function<void(std::span<const T>)>;
    /// Writes the files; the environment says where the results are not all.
    using Write = std::function<void(std::span<const T>, const std::vector<Fact>& environment)>;

    Finished(const Context& context, const Exports& exports, std::size_t all, Show show, Write write)
        : context_(context), exports_(exports), all_(all), show_(std::move(show)), write_(std::move(write)) {}
    Finished(const Finished&) = delete;
    Finished& operator=(const Finished&) = delete;
    /// Without end(): an error ends the command.
    ~Finished() {
        if (ended_ || results_.empty()) return;
        try {
            const std::lock_guard lock(mutex_);
            ended_ = true;
            write_(results_, interrupted());
        } catch (const std::exception&) {  // the error that ends the command is the one to be told
        }
    }

    void add(T result) {
        const std::lock_guard lock(mutex_);
        results_.push_back(std::move(result));
    }
    /// Results that depend on each other, once the others are there.
    void change(const std::function<void(std::vector<T>&)>& change) {
        const std::lock_guard lock(mutex_);
        change(results_);
    }

    /// Shows and writes all, and returns it.
    std::vector<T> end() {
        const std::lock_guard lock(mutex_);  // a signal waits for it
        ended_ = true;
        report(environment());
        return std::move(results_);
    }

private:
    /// What cannot be shown is written all the same.
    void report(const std::vector<Fact>& environment) {
        std::exception_ptr unseen;
        try {
            if (show_) show_(results_);
        } catch (...) {
            unseen = std::current_exception();
        }
        write_(results_, environment);
        if (unseen) std::rethrow_exception(unseen);
    }
    /// Where results are not all.
    std::vector<Fact> interrupted() const {
        std::vector<Fact> where = environment();
        where.push_back({"interrupted", count_finished(results_.size(), all_)});
        return where;
    }
    void keep() {
        mutex_.lock();  // and not unlocked: the program ends, and nobody else is to report
        if (ended_) return;
        ended_ = true;
        context_.clear_line();
        try {
            if (!results_.empty()) report(interrupted());
        } catch (const ReaderGone&) {  // what was written is there
        } catch (const std::exception& error) {
            return context_.hint(std::string("lanework: ") + error.what());
        }
        context_.hint(describe_kept(results_.size(), all_, exports_));
    }

    const Context& context_;
    const Exports& exports_;
    std::size_t all_;
    Show show_;
    Write write_;
    std::mutex mutex_;
    std::vector<T> results_;
    bool ended_ = false;
    OnInterrupt on_interrupt_{[this] { keep(); }};
};

}  // namespace lanework
