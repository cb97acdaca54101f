# A wheel of a library that is compiled already: LANEWORK_BUILT names its build folder, which is brought up to date.
# Nothing is configured but that; everything else of the wheel is as scikit-build-core makes it.
if(NOT SKBUILD)
  message(FATAL_ERROR "LANEWORK_BUILT is for `pip install` and `pip wheel` alone (docs/python.md)")
endif()
get_filename_component(built "${LANEWORK_BUILT}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
if(NOT EXISTS ${built}/CMakeCache.txt)
  message(FATAL_ERROR "LANEWORK_BUILT: ${built} is no build folder; `make` makes build/release")
endif()
load_cache(${built} READ_WITH_PREFIX built_ CMAKE_HOME_DIRECTORY CMAKE_INSTALL_LIBDIR LANEWORK_PYTHON)
file(REAL_PATH "${built_CMAKE_HOME_DIRECTORY}" sources)
file(REAL_PATH ${CMAKE_SOURCE_DIR} checkout)
if(NOT sources STREQUAL checkout)
  message(FATAL_ERROR "LANEWORK_BUILT: ${built} is a build of ${sources}; it must be one of ${checkout}")
endif()
if(NOT built_LANEWORK_PYTHON)
  message(FATAL_ERROR "LANEWORK_BUILT: ${built} is built without the Python package; configure it with LANEWORK_PYTHON=ON")
endif()

add_custom_target(lanework_c COMMAND ${CMAKE_COMMAND} --build ${built} --target lanework_c VERBATIM)
# Installed there as ever, which takes the paths of the build folder out of the library, and from there into the wheel.
set(package ${CMAKE_BINARY_DIR}/package)
install(CODE "
  file(REMOVE_RECURSE \"${package}\")
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --install \"${built}\" --component python --prefix \"${package}\"
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(INSTALL \"${package}/${built_CMAKE_INSTALL_LIBDIR}/lanework/python/lanework\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}\")"
  COMPONENT python)
