# cmake -D DEVICE=cuda|simt -D UNITED=FILE -D "RUNGS=FILE;…" -P unite-rungs.cmake: writes a file that has rungs of one operation compiled together
# (lanework_unite_rungs in LaneworkUnite.cmake).
set(headers)
set(bodies)
foreach(file IN LISTS RUNGS)
  file(STRINGS ${file} included REGEX "^#include ")
  list(APPEND headers ${included})
  string(REGEX MATCH "([^/]+)/([^/]+)\\.cu$" name ${file})
  string(LENGTH ${CMAKE_MATCH_1} letters)
  string(APPEND bodies "namespace united_${letters}_${CMAKE_MATCH_1}_${CMAKE_MATCH_2} {
extern \"C\" const ::lanework::Rung lanework_rung_${DEVICE}_${CMAKE_MATCH_1}_${CMAKE_MATCH_2};  // the list looks for it in no namespace
#include \"${file}\"
}
")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
set(compiler "the host compiler")
if(DEVICE STREQUAL cuda)
  set(compiler nvcc)
endif()
file(WRITE ${UNITED} "// Generated: rungs that ${compiler} compiles together.\n${headers}\n\n${bodies}")
