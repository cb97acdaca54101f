// An operation of a user's own as the rest of the program sees operations.
#pragma once

#include <lanework/operation.hpp>
#include <memory>
#include <vector>

#include "src/program/ladder/description.hpp"
#include "src/program/ladder/reference.hpp"

namespace lanework {

/// An operation's functions are plain pointers, which know no object: so many operations can be in use, each with
/// functions of its own.
inline constexpr std::size_t kMostOwnOperations = 16;

/// The arrays in the order of Operation::buffers: each array that is changed in place is two of them, what it holds
/// before and what it holds behind.
struct OwnBuffer {
    const OwnArray* array = nullptr;
    Role role = Role::input;
    std::string name;
};

class OwnOperation {
public:
    /// Stays for the rest of the process. Throws UsageError when there are too many, FileError and UnavailableError as
    /// references do.
    static OwnOperation& make(Description description);
    /// One that is written in C++, for rungs that are plain kernels: its arrays and axes have names to bind by, and
    /// what is right it says itself. `folder` is empty for one of the program's.
    static OwnOperation& of(const Operation& operation, const std::filesystem::path& folder);
    OwnOperation(const OwnOperation&) = delete;
    OwnOperation& operator=(const OwnOperation&) = delete;

    const Description& description() const { return description_; }
    const Operation& operation() const { return compiled_ ? *compiled_ : operation_; }
    const std::vector<OwnBuffer>& buffers() const { return buffers_; }

    /// The arrays of one role as references see them; `data` is in the order of buffers().
    std::vector<WideArray> wide(Role role, const Problem& problem, const Buffers& data) const;
    /// The lengths of buffer `i`; of an operation in C++, whose arrays have no shapes, its elements.
    std::vector<std::int64_t> shape(std::size_t i, const Problem& problem) const;
    /// Shapes without elements.
    std::vector<WideArray> shapes(Role role, const Problem& problem) const;

    // What the operation's functions do.
    std::vector<BufferSpec> specs(const Problem& problem) const;
    Work work(const Problem& problem) const;
    void fill(const Problem& problem, std::uint64_t seed, const Buffers& data) const;
    Tolerance tolerance(const Problem& problem) const;
    void fill_hard(std::size_t input, const Problem& problem, const Buffers& data) const;
    void compute(const Problem& problem, const Buffers& data) const;
    bool magnitudes(const Problem& problem, const Buffers& data, double* result) const;

    /// Whether the reference judges answers itself, where several are right.
    bool has_comparison() const { return reference_ && reference_->defines("compare"); }
    /// What it says is wrong with outputs, in one line; nothing for right ones. `data` is in the order of buffers().
    std::string compare(const Problem& problem, const Buffers& data) const;

private:
    OwnOperation(Description description, std::size_t slot);
    OwnOperation(Description description, const Operation& compiled);
    void list_buffers();
    /// Of the reference; what it says is wrong is said with the size.
    void call(std::string_view function, const Problem& problem, const std::vector<WideArray>& given,
              const NamedValues& scalars, std::vector<WideArray>& results) const;

    Description description_;
    std::unique_ptr<Reference> reference_;
    std::vector<OwnBuffer> buffers_;
    std::vector<std::string_view> axes_;
    std::vector<Operation::Typed> types_;
    std::vector<Input> inputs_;
    Operation operation_{};
    const Operation* compiled_ = nullptr;
};

}  // namespace lanework
