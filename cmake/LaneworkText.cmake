# Text files that a program carries: what pages are made of, and a library of charts that is built in from the system.

# lanework_embed(SOURCE NAMESPACE NAME=FILE…): a C++ file that defines `extern const std::string_view NAME` for each; an
# empty FILE is empty text.
function(lanework_embed source namespace)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed-text.cmake)
  set(inputs)
  foreach(pair IN LISTS ARGN)
    string(REGEX REPLACE "^[^=]*=" "" file "${pair}")
    if(file)
      list(APPEND inputs ${file})
    endif()
  endforeach()
  string(REPLACE ";" "|" pairs "${ARGN}")
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} -DNAMESPACE=${namespace} -DPAIRS=${pairs} -P ${script}
    DEPENDS ${inputs} ${script}
    COMMENT "Embedding the text of pages" VERBATIM)
endfunction()

# Draws the charts of `lanework report`: Chart.js, as the distribution packages it (scripts/packages). Without it pages
# show tables instead (docs/decisions/charts-come-from-a-library.md).
find_file(LANEWORK_CHART_LIBRARY NAMES chart.min.js chart.umd.js PATHS /usr/share/javascript/chart.js
          /usr/share/nodejs/chart.js/dist NO_DEFAULT_PATH)
find_file(LANEWORK_CHART_LICENCE NAMES copyright PATHS /usr/share/doc/libjs-chart.js NO_DEFAULT_PATH)
mark_as_advanced(LANEWORK_CHART_LIBRARY LANEWORK_CHART_LICENCE)
if(NOT LANEWORK_CHART_LIBRARY OR NOT LANEWORK_CHART_LICENCE)
  # Sought again the next time: it may be installed by then.
  unset(LANEWORK_CHART_LIBRARY CACHE)
  unset(LANEWORK_CHART_LICENCE CACHE)
  message(STATUS "libjs-chart.js is not installed: `lanework report` shows tables instead of charts")
endif()
