// A library rung that is a function of Python: NumPy's or PyTorch's, as its user would call it.
#pragma once

#include <filesystem>
#include <lanework/rung.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/program/ladder/own_operation.hpp"

namespace lanework {

class Device;
class PythonDevice;

class PythonRung {
public:
    /// Reads the file's first comment; Python is started where the rung is first run. Stays for the rest of the
    /// process.
    static PythonRung& make(const OwnOperation& operation, const std::filesystem::path& file, DeviceKind device);
    PythonRung(const PythonRung&) = delete;
    PythonRung& operator=(const PythonRung&) = delete;

    const Rung& rung() const { return rung_; }

private:
    friend class PythonDevice;
    PythonRung(const OwnOperation& operation, const std::filesystem::path& file, DeviceKind device);
    ~PythonRung() = delete;
    void launch(const Problem& problem, const Buffers& buffers, PythonDevice& device) const;
    Device& device_beside(Device& given) const;
    /// What Python says of itself follows the lesson.
    void add_to_lesson(const std::string& about) const;

    const OwnOperation& operation_;
    std::filesystem::path file_;
    std::string name_, function_, shown_file_;
    mutable std::string lesson_;
    std::vector<Rung::Typed> types_;
    /// By the id of the device that it stands beside.
    mutable std::map<std::string, std::unique_ptr<PythonDevice>> devices_;
    mutable Rung rung_{};
};

/// The kinds of devices that a file of Python has a rung for: the processor; GPUs too where it is written with PyTorch;
/// what its first comment says: `# device: cuda`. Throws UsageError for a kind that is none.
std::vector<DeviceKind> devices_of_python(const std::filesystem::path& file);

}  // namespace lanework
