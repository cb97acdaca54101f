// The operations and rungs of this build: constant data, collected when it was built.
#pragma once

#include <lanework/operation.hpp>

namespace lanework {

std::span<const Operation* const> operations();  ///< All operations of this build.
/// Every rung, of every operation and device.
std::span<const Rung* const> rungs();

/// Throws UsageError that names the nearest operation when there is none of this name.
const Operation& find_operation(std::string_view name);

/// The operations that this build leaves out: it was configured for some ladders alone. find_operation says so of them.
std::span<const std::string_view> operations_left_out();
/// Throws UnavailableError that says how to build the operation's rungs where those for each of these kinds are left
/// out: a build may have those of processors alone.
void require_ladder(const Operation& operation, std::span<const DeviceKind> kinds);

/// The rungs of one operation on one kind of device: the ladder from its foot to its top, then library rungs. A rung
/// follows the one it climbs from.
std::vector<const Rung*> ladder(const Operation& operation, DeviceKind device);

/// Throws UsageError that names the nearest rung when there is none of this name on that kind of device.
const Rung& find_rung(const Operation& operation, std::string_view name, DeviceKind device);

/// The rungs of our own in the order in which the chooser asks them: first those that the operation names
/// (Operation::choice) for this problem, null for any, then the others from the top of the ladder to its foot. Rungs
/// whose results deviate are among them only where they are named.
std::vector<const Rung*> rungs_by_choice(const Operation& operation, DeviceKind device, const Problem* problem);

/// What Operation::choice says of the rung; null where it does not name it.
const Preference* preference(const Operation& operation, const Rung& rung);

/// The first of these that computes this problem; throws UnavailableError with the reasons when all refuse.
const Rung& chosen_rung(const Operation& operation, DeviceKind device, const Problem& problem);

/// Why this rung cannot compute the problem, in one sentence (its type, its own precondition, what it is for); empty
/// when it can.
std::string refusal(const Rung& rung, const Problem& problem);

/// The candidate that is nearest to a misspelt word (by edit distance, else by containing it), or an empty string when
/// none is near.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates);

/// Reads "100x50" for an operation's axes. Throws UsageError on anything else: wrong count, sign, overflow of the
/// bytes of the problem beyond 2^47.
Problem parse_problem(const Operation& operation, std::string_view size, DType dtype);
/// "height x width [x channels (3)]": the axes, those in brackets with the lengths that they have when left out.
std::string describe_axes(const Operation& operation);
/// "100x50": what parse_problem reads.
std::string format_extents(const Operation& operation, const Problem& problem);
/// The index of a variant. Throws UsageError that lists the operation's variants.
std::uint8_t parse_variant(const Operation& operation, std::string_view name);
/// "random" or one of the operation's inputs. Throws UsageError that lists them.
InputIndex parse_input(const Operation& operation, std::string_view name);
/// Throws UsageError that lists the operation's types.
DType parse_dtype(const Operation& operation, std::string_view name);

}  // namespace lanework
