// Shared libraries by dlopen.
#include "src/core/shared_library.hpp"

#include <dlfcn.h>

namespace lanework {

SharedLibrary::SharedLibrary(std::span<const char* const> names) {
    for (const char* name : names) {
        handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (handle_) {
            name_ = name;
            reason_.clear();
            return;
        }
        const char* error = dlerror();
        if (reason_.empty()) reason_ = error ? error : name;
    }
}

SharedLibrary::~SharedLibrary() {
    if (handle_) dlclose(handle_);
}

void* SharedLibrary::find(const char* symbol) const { return handle_ ? dlsym(handle_, symbol) : nullptr; }

}  // namespace lanework
