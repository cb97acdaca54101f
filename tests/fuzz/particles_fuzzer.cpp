// Any text, read as a file of atoms in each format: what comes is a system, or FileError. Everything else ends the
// fuzzer.
#include <cstdlib>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/particle_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::string> formats = lanework::particle_formats();
    if (size == 0) return 0;
    // The first byte chooses the format, or that the content is to decide: a digit in the files of
    // tests/fuzz/particles.
    const std::size_t choice = data[0] % (formats.size() + 1);
    const std::string format = choice < formats.size() ? formats[choice] : "";
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    try {
        lanework::parse_particles(text, "a", {.format = format});
    } catch (const lanework::FileError& error) {
        if (std::strchr(error.what(), '\n')) std::abort();
    }
    return 0;
}
