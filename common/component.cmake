# strata_files(<variable> <folder> <glob>): the files of a folder and of its rooms; no tests, no fuzzers.
function(strata_files variable folder glob)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/${glob} ${folder}/*/${glob})
  list(FILTER files EXCLUDE REGEX "^${folder}/(tests|benchmarks|fuzz)/")
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# strata_component(<folder> [QUICK] LINK <target>... [MEASURES <file>...]): the library
# strata-<folder> of a folder's sources; header-only where it has none. QUICK: it measures
# nothing, but for the sources named.
function(strata_component folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QUICK" "" "LINK;MEASURES")
  set(target strata-${folder})
  strata_files(sources ${CMAKE_CURRENT_SOURCE_DIR}/${folder} *.cpp)
  if(NOT sources)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_LINK})
    return()
  endif()
  list(TRANSFORM arg_MEASURES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/)
  list(REMOVE_ITEM sources ${arg_MEASURES})
  add_library(${target} STATIC ${sources})
  target_link_libraries(${target} PUBLIC ${arg_LINK})
  strata_compiled(${target} "${arg_QUICK}")
  if(arg_MEASURES)
    strata_compiled_apart(${target} FALSE LINK ${arg_LINK} SOURCES ${arg_MEASURES})
  endif()
endfunction()

# strata_compiled_apart(<target> <quick> LINK <target>... SOURCES <file>...): these sources of a
# target are compiled the other way than the rest of it, and with the LINKs alone; the options that
# its users have are theirs, too, since they share inline functions.
function(strata_compiled_apart target quick)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINK;SOURCES")
  add_library(${target}-apart OBJECT ${arg_SOURCES})
  target_include_directories(${target}-apart
                             PRIVATE $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(${target}-apart
                         PRIVATE $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_OPTIONS>)
  target_link_libraries(${target}-apart PRIVATE ${arg_LINK})
  strata_compiled(${target}-apart ${quick})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-apart>)
endfunction()

# strata_compiled(<target> <quick>): how a target's sources are compiled. Quick is code that
# runs between the measurements: half the time to compile it for little of its own.
#
# Half of the rest is reading Kokkos and the standard library, so all targets share one
# precompiled header of them; two, since GCC wants one level of optimisation throughout. The
# first target of each kind owns it. nvcc has no such thing.
#
# An executable for the address sanitizer keeps libraries loaded that MPI would unload.
function(strata_compiled target quick)
  set(kind measured)
  if(quick)
    set(kind quick)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  get_property(owner GLOBAL PROPERTY strata_precompiled_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  elseif(NOT Kokkos_DEVICES MATCHES "CUDA")
    set_property(GLOBAL PROPERTY strata_precompiled_${kind} ${target})
    target_precompile_headers(
      ${target} PRIVATE <Kokkos_Core.hpp> <algorithm> <deque> <filesystem> <functional> <iostream>
      <map> <memory> <mutex> <optional> <random> <span> <string> <variant> <vector>)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64") # most of what sources read beside these
      target_precompile_headers(${target} PRIVATE <immintrin.h>)
    endif()
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/common/testing/keep_loaded.cpp)
    target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
  endif()
endfunction()

# strata_unit_tests(<name> FOLDER <folder> LINK <target>...): one test program of the
# tests/*_test.cpp of a folder and of its rooms. RANKS: also run under mpirun with these numbers
# of ranks, of one thread each.
function(strata_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;MAIN;LABEL" "LINK;RANKS")
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FOLDER}/tests/*_test.cpp
       ${arg_FOLDER}/*/tests/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  set(program test-${name})
  add_executable(${program} ${sources})
  target_link_libraries(${program} PRIVATE ${arg_LINK} GTest::gtest)
  target_link_libraries(${program} PRIVATE ${arg_MAIN})
  strata_compiled(${program} TRUE)
  set_target_properties(${program} PROPERTIES UNITY_BUILD "${STRATA_UNITY_APPS}")
  # Together with other sources a local name may be a global one of theirs.
  set_target_properties(${program} PROPERTIES STRATA_MAY_SHADOW "${STRATA_UNITY_APPS}")
  target_compile_definitions(${program} PRIVATE STRATA_TEST_FOLDER="${arg_FOLDER}")
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  add_test(NAME ${arg_LABEL}.${name} COMMAND ${program} --gtest_brief=1)
  # Two tests share the cores: waiting threads must not spin.
  set_tests_properties(${arg_LABEL}.${name} PROPERTIES LABELS ${arg_LABEL} ENVIRONMENT
                                                                      OMP_WAIT_POLICY=passive)
  foreach(ranks IN LISTS arg_RANKS)
    set(test mpi.${name}.${ranks})
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
                                  $<TARGET_FILE:${program}> --gtest_brief=1)
    strata_mpi_test(${test} ${ranks} mpi)
    # Ranks that wait for each other's threads, too, take minutes on a busy machine.
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT OMP_NUM_THREADS=1)
  endforeach()
endfunction()

# More ranks than cores, and root in containers: said in the environment, which every MPI
# takes or leaves, since the flags for it differ.
function(strata_mpi_test test ranks label)
  set_tests_properties(
    ${test}
    PROPERTIES LABELS "${label}" PROCESSORS ${ranks} ENVIRONMENT
               "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_hwloc_base_binding_policy=none;OMPI_MCA_mpi_yield_when_idle=1;OMP_WAIT_POLICY=passive")
endfunction()
