// What this build can compute: operations, their ladders, and where each can run.
#pragma once

#include <lanework/registry.hpp>
#include <optional>
#include <vector>

#include "src/draw/style.hpp"

namespace lanework {

/// A kind of device that may be here.
struct DevicePresence {
    DeviceKind kind;
    /// Why it is not here; empty when it is.
    std::string reason;
};

/// What is listed: ladders of these devices, and of their rungs those that compute the type.
struct Listed {
    std::vector<DevicePresence> devices;
    std::optional<DType> dtype = {};

    std::vector<const Rung*> rungs(const Operation& operation, DeviceKind kind) const;
};

/// All operations, with a line for each ladder.
std::string draw_catalogue(std::span<const Operation* const> operations, const Listed& listed, const Style& style);
/// The ladders of one operation as trees, with lessons.
std::string draw_ladders(const Operation& operation, const Listed& listed, const Style& style);

std::string catalogue_to_json(std::span<const Operation* const> operations, const Listed& listed);

/// Everything that can be selected, one OP or OP/RUNG a line, without repetition.
std::string selection_names();

/// "int32, float32": the types that a rung computes.
std::string types_of(const Rung& rung);
/// The types that an operation is defined for.
std::string types_of(const Operation& operation);

}  // namespace lanework
