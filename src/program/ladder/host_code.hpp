// The host's part of a user's rung runs in this process: where it ends or crashes the process, that is said.
#pragma once

#include <string>

namespace lanework {

/// While it lives, the process runs host code of this file. In a process that watches, code that exits is named and the
/// status is that of a wrong rung; code that crashes is named.
class HostCode {
public:
    /// From now on; for the rest of the process.
    static void watch();
    explicit HostCode(const std::string& file);
    HostCode(const HostCode&) = delete;
    HostCode& operator=(const HostCode&) = delete;
    ~HostCode();
};

}  // namespace lanework
