# strata_add_miniapp(<app> [RANKS <n>...] [LONG <file>...] [QUICK <file>...]): the executable
# strata-<app> of the folder's sources, its tests (under mpirun too with these numbers of ranks) and
# its runs: smoke at 1, 2 and 3 ranks and word for word, every bad deck, every kind of fault. LONG
# are compiled first, so that no core waits for them at the end, and alone. With STRATA_UNITY_LONG
# they are compiled in two halves, as the others are: name the longest first. QUICK measure nothing.
function(strata_add_miniapp app)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;LONG;QUICK")
  set(program strata-${app})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  strata_files(sources ${folder} *.cpp)
  list(TRANSFORM arg_LONG PREPEND ${folder}/)
  list(TRANSFORM arg_QUICK PREPEND ${folder}/)
  list(REMOVE_ITEM sources ${folder}/main.cpp ${arg_LONG} ${arg_QUICK})
  set(library strata-app-${app})
  set(compiled ${library})
  if(arg_LONG)
    # A target of their own: within one, CMake puts the unity sources before all others.
    add_library(${library}-long OBJECT ${arg_LONG})
    target_include_directories(${library}-long
                               PRIVATE $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${library}-long
                               PRIVATE $<TARGET_PROPERTY:${library},COMPILE_DEFINITIONS>)
    target_compile_options(${library}-long
                           PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_OPTIONS>)
    target_link_libraries(${library}-long PRIVATE strata-driver)
    list(APPEND sources $<TARGET_OBJECTS:${library}-long>)
    list(PREPEND compiled ${library}-long)
  endif()
  add_library(${library} STATIC ${sources})
  # Whoever only compiles once reads the same headers less often with many sources together.
  set_target_properties(${compiled} PROPERTIES UNITY_BUILD "${STRATA_UNITY_APPS}"
                                               UNITY_BUILD_BATCH_SIZE 8)
  if(STRATA_UNITY_LONG)
    set_target_properties(${compiled} PROPERTIES UNITY_BUILD_MODE GROUP)
    foreach(target IN LISTS compiled)
      set(half 1)
      get_target_property(all ${target} SOURCES)
      foreach(source IN LISTS all) # by turns, so that no half has all that take long
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${half})
        math(EXPR half "3 - ${half}")
      endforeach()
    endforeach()
  else()
    set_source_files_properties(${arg_LONG} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_include_directories(${library} PUBLIC ${folder})
  target_link_libraries(${library} PUBLIC strata-driver)
  foreach(target IN LISTS compiled)
    strata_compiled(${target} FALSE)
  endforeach()
  set(program_sources main.cpp)
  if(NOT STRATA_TESTS) # nothing else links them: with main.cpp they read the same headers once
    list(APPEND program_sources ${arg_QUICK})
  elseif(arg_QUICK)
    strata_compiled_apart(${library} TRUE LINK strata-driver SOURCES ${arg_QUICK})
  endif()
  add_executable(${program} ${program_sources})
  target_link_libraries(${program} PRIVATE ${library})
  strata_compiled(${program} TRUE)
  install(TARGETS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY decks DESTINATION ${CMAKE_INSTALL_DATADIR}/strata/${app})

  if(NOT STRATA_TESTS)
    return()
  endif()
  strata_unit_tests(${app} FOLDER ${folder} LINK ${library} strata-testing MAIN
                    strata-test-main RANKS ${arg_RANKS})
  set(expect ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D
             mpiexec=${MPIEXEC_EXECUTABLE} -D ranks_flag=${MPIEXEC_NUMPROC_FLAG})
  set(expect_script -P ${PROJECT_SOURCE_DIR}/common/testing/expect.cmake)

  add_test(NAME style.${app}.readme_keys
           COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D readme=${folder}/README.md -P
                   ${PROJECT_SOURCE_DIR}/common/testing/readme_keys.cmake)
  set_tests_properties(style.${app}.readme_keys PROPERTIES LABELS style)

  foreach(ranks 1 2 3)
    set(test smoke.${app}.${ranks})
    add_test(NAME ${test} COMMAND ${expect} -D ranks=${ranks} -D
                                  "arguments=--deck;decks/smoke.yaml;--output-dir;${CMAKE_CURRENT_BINARY_DIR}/smoke-${ranks}" -D exit=0 -D
                                  "finds= scope=job ranks=${ranks}\n.*RESULT v=1 app=${app} status=PASS " ${expect_script}
             WORKING_DIRECTORY ${folder})
    strata_mpi_test(${test} ${ranks} "smoke;mpi")
  endforeach()

  # Cases and layouts are the device's own: the file has those of a host with streaming stores.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
    add_test(NAME golden.${app} COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D
             "arguments=--deck;decks/smoke.yaml;--output-dir;${CMAKE_CURRENT_BINARY_DIR}/golden;--only;^(?!.*/vendor/)" -D
             golden=${folder}/decks/smoke.golden.out -D
             found=${CMAKE_CURRENT_BINARY_DIR}/smoke.found.out -P
             ${PROJECT_SOURCE_DIR}/common/testing/golden.cmake WORKING_DIRECTORY ${folder})
    set_tests_properties(golden.${app} PROPERTIES LABELS golden ENVIRONMENT "NO_COLOR=1;OMP_WAIT_POLICY=passive")
  endif()

  # The others are those of scripts/fault_campaign.py.
  foreach(kind skip value half)
    set(test fault.${app}.${kind})
    add_test(NAME ${test} COMMAND ${expect} -D
                                  "arguments=--deck;decks/smoke.yaml;--output-dir;${CMAKE_CURRENT_BINARY_DIR}/fault-${kind}" -D exit=6 -D
                                  "finds=status=FAIL valid=no [^\n]* exit=6" -D "lacks=FOM v=1" ${expect_script}
             WORKING_DIRECTORY ${folder})
    set_tests_properties(${test} PROPERTIES LABELS smoke
                                             ENVIRONMENT "STRATA_FAULT=${kind}:.;OMP_WAIT_POLICY=passive")
  endforeach()

  file(GLOB bad_decks CONFIGURE_DEPENDS ${folder}/decks/bad_*.yaml)
  foreach(deck IN LISTS bad_decks)
    cmake_path(GET deck STEM name)
    set(test deck.${app}.${name})
    add_test(NAME ${test} COMMAND ${expect} -D "arguments=--deck;decks/${name}.yaml" -D exit=3 -D
                                  "prints=${folder}/decks/${name}.txt" ${expect_script}
             WORKING_DIRECTORY ${folder})
    set_tests_properties(${test} PROPERTIES LABELS deck)
  endforeach()
endfunction()
