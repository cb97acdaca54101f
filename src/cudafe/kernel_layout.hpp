// A kernel laid out as a row of pieces: the regions between the places where its threads wait for each other, and what
// is executed once for all threads around them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/cudafe/uniformity.hpp"
#include "src/cudafe/waiting.hpp"
#include "src/cudafe/warp_calls.hpp"

namespace lanework::cudafe {

/// A kernel's text, read.
struct KernelSource {
    const TokenizedFile& file;
    const Brackets& brackets;
    const ProgramNames& names;
    const Waiting& waiting;
    const KernelText& kernel;
    const std::vector<Statement>& body;
};

/// A part of what a region's threads execute: a statement, a variable of a declaration, or other text that is made of
/// tokens.
struct Part {
    TokenRange range;
    const Statement* statement = nullptr;
    const DeclaredVariable* variable = nullptr;
    /// Ahead of the statement's text; or the whole of it, where there is no statement.
    std::string text = {};
};

/// What is executed by each thread, between two places where threads wait; or text that is executed once.
struct Piece {
    std::vector<Part> region{};
    std::string once{};
    /// The threads of the region, and those that meet: all of the block (0), or those of some statement.
    std::size_t some = 0;
    /// `once` is an operation of the warp, to be told who comes.
    bool meets = false;
    bool is_region() const { return !region.empty(); }
};

/// A statement that some threads of the block execute, of each warp all or those that its masks name.
struct SomeThreads {
    /// Around its pieces.
    std::size_t begin, end;
    /// It stands in a loop: those that leave it out may come to it again.
    bool in_loop;
    bool returns;
    /// A barrier stands in it: the others may have nothing left to wait for.
    bool has_barrier;
};

/// The kernel cannot be cut.
struct Uncut {};

class KernelLayout {
public:
    /// A call of a warp's operation that stands no more where it stood.
    struct TakenOut {
        std::size_t end;
        /// What stands there, for a thread and for its type alone.
        std::string value, type;
        /// It has an effect besides its value.
        bool writes;
    };

    /// Throws Uncut where the rules do not allow to cut the kernel.
    explicit KernelLayout(const KernelSource& source);

    const std::vector<Piece>& pieces() const { return pieces_; }
    const Uniformity& values() const { return values_; }
    /// The pieces up to the last statement with any wait.
    std::size_t last_wait() const { return last_wait_; }
    /// The call that a token begins, where it stands no more; or null.
    const TakenOut* taken_out(std::size_t token) const;
    /// Of an operation of the warp that some threads come to: the others leave the kernel without another wait.
    bool others_leave(const Piece& piece) const;
    bool names_return(TokenRange range) const;
    std::string spelled(TokenRange range) const;
    std::string spelled(const Statement& statement, const DeclaredVariable& variable) const;
    /// The type of a variable that is kept, without what says that it does not change.
    std::string type_of(const KernelVariable& variable) const;

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    /// Whether threads that leave some statement out may wait for others later.
    bool waits_behind(const SomeThreads& some) const;
    void lay_out(const std::vector<Statement>& list, bool outermost);
    void lay_out(const Statement& statement);
    void lay_out_whole(const Statement& statement);
    void flush();
    /// Text that is executed once, ahead of the region that is being gathered.
    void once(std::string text);
    bool changes_uniform(const Statement& statement) const;
    void lay_out_around(const Statement& statement);
    /// A statement on a condition that threads need not have in common. Its operations of the warp look whether those
    /// come that have to; a barrier in it is for those that come, where all others leave the kernel without another
    /// wait.
    void lay_out_for_some(const Statement& statement);
    void lay_out_branch_for_some(const Statement& statement, const std::string& some);
    /// Each round is one of those threads whose condition still holds.
    void lay_out_loop_for_some(const Statement& statement, const std::string& some);
    /// Those that go on by themselves could meet lanes that others would wait for, or be waited for at a barrier.
    void require_nothing_ahead_of_waits() const;
    static std::string meeting(const WarpCall& call);
    bool is_taken_out(TokenRange expression) const;
    /// Ends the region in front of an expression, whose calls of the warp's operations become what they give.
    void take_out(TokenRange expression);
    void put_down(const WarpCall& call);
    TokenRange whole_warp(TokenRange mask) const;
    static const char* name_of(WarpOperation::Kind kind);
    std::string place_of(const WarpCall& call) const;
    /// The text of an expression for its type alone, where no thread runs that has the variables it names.
    std::string type_text(TokenRange range) const;
    /// Behind the parenthesis of a statement's head.
    static std::size_t head_end(const Statement& statement);
    void lay_out_inner(const Statement& inner, const Statement* compound);
    void require_uniform_head(const Statement& loop) const;
    void require_uniform(const DeclaredVariable& variable) const;
    void lay_out_declaration(const Statement& statement);
    /// if (uniform) break; or continue; of a loop around a barrier: all threads do.
    bool leaves_loop(const Statement& statement) const;
    /// No thread leaves a loop around a barrier by itself.
    void require_no_jump(const Statement& statement, bool in_loop) const;
    /// Each barrier and operation of the warp that the text names is one of those between regions.
    void require_all_waits() const;
    static TokenRange range_of(const DeclaredVariable& variable);
    static std::string type_of_text(const std::string& value);
    /// Of a variable whose type is its value's.
    std::string type_of_value(const KernelVariable& variable) const;

    const TokenizedFile& file_;
    const Stream& stream_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const Waiting& waiting_;
    const KernelText& kernel_;
    const Uniformity values_;
    std::vector<Piece> pieces_;
    std::vector<Part> open_;
    /// By their first tokens.
    std::map<std::size_t, TakenOut> taken_out_;
    std::map<std::size_t, SomeThreads> some_threads_;
    /// The statement whose threads are laid out; 0 for all of the block.
    std::size_t some_ = 0;
    /// Loops around what is laid out.
    std::size_t loops_ = 0;
    /// The pieces up to the last barrier, and up to the last statement with any wait.
    std::size_t last_barrier_ = 0, last_wait_ = 0;
    std::size_t waits_ = 0;
};

}  // namespace lanework::cudafe
