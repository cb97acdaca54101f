# The parts of a build for some ladders (LANEWORK_LADDERS) and for some commands (LANEWORK_COMMANDS): what nothing of these
# calls is left out, and refused by name where somebody asks for it.
set(LANEWORK_LADDERS "" CACHE STRING "Operations that are built (NAME:cpu: with the rungs of processors alone); every operation if empty")
set(LANEWORK_COMMANDS "" CACHE STRING "Commands of the program that are built, as their files in src/cli are called; every command if empty")

# The operations that are built, and those of them whose rungs are CUDA kernels, too. Those that measure a device's ceilings
# are never left out, nor are their kernels where there may be a GPU: simt has published ceilings.
set(LANEWORK_OPERATIONS)
set(LANEWORK_KERNELS)
set(LANEWORK_OPERATIONS_LEFT_OUT)
set(LANEWORK_KERNELS_LEFT_OUT)
set(ceilings copy read write fma mma transfer relay)
if(LANEWORK_CUDA STREQUAL OFF)
  list(TRANSFORM ceilings APPEND ":cpu")
endif()
set(ladders ${ceilings} ${LANEWORK_LADDERS})
list(TRANSFORM LANEWORK_LADDERS REPLACE ":cpu$" "" OUTPUT_VARIABLE unknown)
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*/operation.cpp)
foreach(file IN LISTS files)
  get_filename_component(name ${file} DIRECTORY)
  get_filename_component(name ${name} NAME)
  list(REMOVE_ITEM unknown ${name})
  if(NOT LANEWORK_LADDERS OR name IN_LIST ladders)
    list(APPEND LANEWORK_OPERATIONS ${name})
    list(APPEND LANEWORK_KERNELS ${name})
  elseif(${name}:cpu IN_LIST ladders)
    list(APPEND LANEWORK_OPERATIONS ${name})
    list(APPEND LANEWORK_KERNELS_LEFT_OUT ${name})
  else()
    list(APPEND LANEWORK_OPERATIONS_LEFT_OUT ${name})
  endif()
endforeach()
if(unknown)
  message(FATAL_ERROR "LANEWORK_LADDERS names operations that are not in ops: ${unknown}")
endif()

# lanework_of_operations(VARIABLE OPERATIONS): keeps of the listed files in ops/ those of these operations.
function(lanework_of_operations variable operations)
  list(JOIN ${operations} "|" names)
  list(FILTER ${variable} INCLUDE REGEX "/ops/(${names})/")
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

# A command is the file that defines add_<its name>.
set(LANEWORK_COMMANDS_LEFT_OUT)
set(unknown ${LANEWORK_COMMANDS})
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cpp)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(STRINGS ${file} defined REGEX "^void add_${name}\\(CLI::App& ")
  if(defined AND LANEWORK_COMMANDS AND NOT name IN_LIST LANEWORK_COMMANDS)
    list(APPEND LANEWORK_COMMANDS_LEFT_OUT ${name})
  elseif(defined)
    list(REMOVE_ITEM unknown ${name})
  endif()
endforeach()
if(unknown)
  message(FATAL_ERROR "LANEWORK_COMMANDS names commands that are not in src/cli: ${unknown}")
endif()

# lanework_commands(OUT_VARIABLE commands…): whether one of them is built.
function(lanework_commands out)
  list(REMOVE_ITEM ARGN ${LANEWORK_COMMANDS_LEFT_OUT})
  if(ARGN)
    set(${out} ON PARENT_SCOPE)
  else()
    set(${out} OFF PARENT_SCOPE)
  endif()
endfunction()

# lanework_called(VARIABLE): takes off the listed sources that only commands call which are left out. These are the pairs: files, commands.
set(LANEWORK_CALLERS
    "/cli/(array_files|boxes|compute_[a-z]+)\\.cpp$|/library/(array|detection)/" "compute"
    "/cli/completion_scripts\\.cpp$" "completion"
    "/cli/profile_jobs\\.cpp$" "profile"
    "/profile/(accuracy_page|golden_files|nsight_[a-z]+|profile_report|profiling|program_profile|time_accuracy)\\.cpp$" "profile"
    "/(cli/profile_timeline|report/timeline/[a-z_]+)\\.cpp$" "profile report"
    "/report/(html/(markdown|page|page_data|read_report)|results/ladder_picture)\\.cpp$|/report_resources\\.cpp$" "report"
    "/(report/particles/[a-z_]+|measure/neighbor_times)\\.cpp$" "neighbors"
    "/report/results/(compare|compare_json|read_json)\\.cpp$" "compare report"
    "/report/results/survey\\.cpp$" "devices"
    "/cli/kernel_code\\.cpp$|/report/kernels/(code_tally|kernel_listing)\\.cpp$" "info"
    "/report/kernels/occupancy_json\\.cpp$" "occupancy"
    "/pictures/image_comparison\\.cpp$" "compare_images")
function(lanework_called variable)
  set(callers ${LANEWORK_CALLERS})
  while(callers)
    list(POP_FRONT callers files commands)
    string(REPLACE " " ";" commands "${commands}")
    lanework_commands(any ${commands})
    if(NOT any)
      list(FILTER ${variable} EXCLUDE REGEX "${files}")
    endif()
  endwhile()
  foreach(name IN LISTS LANEWORK_COMMANDS_LEFT_OUT)
    list(FILTER ${variable} EXCLUDE REGEX "/cli/${name}\\.cpp$")
  endforeach()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
