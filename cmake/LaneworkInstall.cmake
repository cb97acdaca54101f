# What `cmake --install` gives: the program, the public headers, and all that can be computed as one static library with
# a CMake package, so that another project says find_package(lanework) and links lanework::lanework.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS lanework RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The manual is written by the program itself, so that it says what the program does.
if(NOT CMAKE_CROSSCOMPILING)
  install(CODE "set(manual \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    execute_process(COMMAND \"$<TARGET_FILE:lanework>\" help --man-pages \"\$ENV{DESTDIR}\${manual}\" COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB pages RELATIVE \"\$ENV{DESTDIR}\${manual}\" \"\$ENV{DESTDIR}\${manual}/lanework*.1\")
    list(TRANSFORM pages PREPEND \"\${manual}/\")
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \${pages})")
endif()
install(FILES ${PROJECT_SOURCE_DIR}/completions/lanework.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME lanework)
install(FILES ${PROJECT_SOURCE_DIR}/completions/_lanework DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_SOURCE_DIR}/completions/lanework.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
if(LANEWORK_PORTABLE)  # which is about one file; its archives of compilers are of one machine
  return()
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/lanework)
# What programs of one's own are built with.
if(TARGET lanework_simt_shared)
  file(RELATIVE_PATH LANEWORK_PREFIX_FROM_PACKAGE /prefix/${package} /prefix)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/laneworkCuda.cmake.in ${PROJECT_BINARY_DIR}/laneworkCuda.cmake @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/lanework-toolchain.cmake.in ${PROJECT_BINARY_DIR}/lanework-toolchain.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/laneworkCuda.cmake ${PROJECT_BINARY_DIR}/lanework-toolchain.cmake DESTINATION ${package})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/Compiler/Lanework-CUDA.cmake DESTINATION ${package}/Compiler)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/cmake/lanework-nvcc DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS lanework_simt_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/simt/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanework_cuda)
  # What rungs are compiled from again with other constants (`climb --sweep block=…`), and what a folder like those of ops/ needs.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/ops ${PROJECT_SOURCE_DIR}/src DESTINATION ${CMAKE_INSTALL_DATADIR}/lanework
          FILES_MATCHING PATTERN "*.cu" PATTERN "*.cuh" PATTERN "*.hpp" PATTERN "operation.cpp" PATTERN "operation.json" PATTERN "reference.py"
          PATTERN "simt/include" EXCLUDE)
endif()

# The objects of every part. An archive of archives would be taken apart by the linker in an order of its choice; in one
# archive the registry names each rung, and whatever names the registry gets them all.
set(parts lanework_core lanework_cpu lanework_peers lanework_occupancy lanework_image lanework_particles lanework_operations lanework_rungs_cpu)
set(needs ${LANEWORK_FMT} OpenMP::OpenMP_CXX Threads::Threads ${CMAKE_DL_LIBS})
set(LANEWORK_FINDS "find_dependency(Threads)\nfind_dependency(OpenMP COMPONENTS CXX)\nfind_dependency(fmt)\n")
if(LANEWORK_SIMT)
  list(APPEND parts lanework_simt lanework_simt_calls lanework_simt_device lanework_rungs_simt)
  if(TARGET lanework_particles_simt)
    list(APPEND parts lanework_particles_simt)
  endif()
  list(APPEND needs Boost::context)
  string(APPEND LANEWORK_FINDS "find_dependency(Boost CONFIG COMPONENTS context)\n")
endif()
if(LANEWORK_HAS_CUDA)
  get_property(cuda_rungs GLOBAL PROPERTY LANEWORK_CUDA_RUNGS)
  list(APPEND parts lanework_cuda lanework_particles_cuda ${cuda_rungs})
  list(APPEND needs CUDA::cudart_static)
  string(APPEND LANEWORK_FINDS "find_dependency(CUDAToolkit)\n")
endif()
if(OpenCV_FOUND)
  list(APPEND needs ${OpenCV_LIBS})
  string(APPEND LANEWORK_FINDS "find_dependency(OpenCV COMPONENTS core imgproc)\n")
endif()

set(objects)
foreach(part IN LISTS parts)
  list(APPEND objects $<TARGET_OBJECTS:${part}>)
endforeach()
add_library(lanework_archive STATIC ${PROJECT_BINARY_DIR}/registry.cpp ${objects})
add_library(lanework::lanework ALIAS lanework_archive)
set_target_properties(lanework_archive PROPERTIES OUTPUT_NAME lanework EXPORT_NAME lanework)
target_compile_features(lanework_archive PUBLIC cxx_std_20)
target_include_directories(lanework_archive INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(lanework_archive PRIVATE $<BUILD_INTERFACE:lanework_settings> ${needs})

# Pictures and files of atoms, with the libraries of their formats: find_package(lanework COMPONENTS files).
set(objects)
foreach(part IN ITEMS lanework_codecs lanework_io lanework_particle_files)
  list(APPEND objects $<TARGET_OBJECTS:${part}>)
endforeach()
add_library(lanework_files STATIC ${objects})
add_library(lanework::files ALIAS lanework_files)
set_target_properties(lanework_files PROPERTIES EXPORT_NAME files LINKER_LANGUAGE CXX)
target_link_libraries(lanework_files PUBLIC lanework_archive PRIVATE $<BUILD_INTERFACE:lanework_settings> JPEG::JPEG PNG::PNG
                      ZLIB::ZLIB ${WEBP_LIBRARY} ${LANEWORK_FMT} Threads::Threads)
install(TARGETS lanework_files EXPORT laneworkFilesTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT laneworkFilesTargets NAMESPACE lanework:: DESTINATION ${package})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lanework DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS lanework_archive EXPORT laneworkTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT laneworkTargets NAMESPACE lanework:: DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/laneworkConfig.cmake.in ${PROJECT_BINARY_DIR}/laneworkConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/laneworkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/laneworkConfig.cmake ${PROJECT_BINARY_DIR}/laneworkConfigVersion.cmake
        DESTINATION ${package})
