# Read by Kokkos' own CMake files (CMAKE_PROJECT_INCLUDE): its sources are compiled together,
# but for Kokkos_Core.cpp, whose names would hide others'. That one starts and ends Kokkos,
# and a regular expression in it takes a third of the whole build to optimise.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
function(strata_compile_alone)
  if(NOT TARGET kokkoscore)
    return()
  endif()
  set_source_files_properties(
    ${CMAKE_SOURCE_DIR}/core/src/impl/Kokkos_Core.cpp DIRECTORY core/src
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)
endfunction()
cmake_language(DEFER CALL strata_compile_alone)
