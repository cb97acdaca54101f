// Whether verification with a ladder's reference can show anything: where zeros are right in every size, a kernel that
// computes nothing is "right", too.
#pragma once

#include <string>
#include <vector>

#include "src/program/ladder/own_operation.hpp"

namespace lanework {

struct Vacuity {
    /// Why nothing could be shown of any output, and what to change, in one line; empty where something can.
    std::string everything;
    /// The same of each output of which nothing could be shown, where it can of others.
    std::vector<std::string> outputs;
};

/// Computes right answers of the sizes in `verify`, smallest first, until every output has been told apart from zeros,
/// from one value everywhere and from what an array that is changed in place held before. Random inputs with two seeds;
/// where these are not enough, hard inputs of small sizes, too. Throws what the reference throws.
Vacuity find_vacuity(const OwnOperation& operation);

/// Throws FileError where nothing could be shown; otherwise returns what must be said of single outputs.
std::vector<std::string> require_not_vacuous(const OwnOperation& operation);

}  // namespace lanework
