# The language, the warnings and the link mode of everything that is ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# What a reader's compiler warns of stops no reader, it stops us: .ci/run sets the variable of this name.
option(LANEWORK_WARNINGS_AS_ERRORS "For those who change the code: a warning is an error" "$ENV{LANEWORK_WARNINGS_AS_ERRORS}")
set(errors)
set(cuda_errors)
if(LANEWORK_WARNINGS_AS_ERRORS)
  set(errors -Werror)
  set(cuda_errors -Werror=all-warnings)
endif()

# What every target of ours inherits.
add_library(lanework_settings INTERFACE)
target_include_directories(lanework_settings INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
target_compile_options(lanework_settings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow=local;${errors}>" "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_errors}>")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies inside std::string's own operator+ (GCC bug 105651).
  target_compile_options(lanework_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # GCC 13 sees copies beyond the buffers of fmt 9, where fmt grows them (Ubuntu 24.04 has both).
  target_compile_options(lanework_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # A constant that only __launch_bounds__ names is used by no device but a GPU. As a word of a shell it is kept behind -Wall:
  # a target that has the same option itself has it before.
  target_compile_options(lanework_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-warning-option;SHELL:-Wno-unused-const-variable>")
endif()

add_library(lanework_sanitize INTERFACE)
if(LANEWORK_SANITIZE)
  target_compile_options(lanework_sanitize INTERFACE -fsanitize=${LANEWORK_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(lanework_sanitize INTERFACE -fsanitize=${LANEWORK_SANITIZE})
  target_compile_definitions(lanework_sanitize INTERFACE _GLIBCXX_ASSERTIONS)
endif()
target_link_libraries(lanework_settings INTERFACE lanework_sanitize)

if(LANEWORK_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  set(Boost_USE_STATIC_LIBS ON)
  set(PNG_STATIC ON)
  add_link_options(-static-libstdc++ -static-libgcc)
endif()
