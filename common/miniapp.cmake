# strata_add_miniapp(<app>): the executable strata-<app> of the folder's sources, its tests and
# its runs: smoke at 1, 2 and 3 ranks, every bad deck, every kind of fault.
function(strata_add_miniapp app)
  set(program strata-${app})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(REMOVE_ITEM sources ${folder}/main.cpp)
  add_library(strata-app-${app} STATIC ${sources})
  target_include_directories(strata-app-${app} PUBLIC ${folder})
  target_link_libraries(strata-app-${app} PUBLIC strata-driver)
  strata_precompiled(strata-app-${app})
  add_executable(${program} main.cpp)
  target_link_libraries(${program} PRIVATE strata-app-${app})
  install(TARGETS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY decks DESTINATION ${CMAKE_INSTALL_DATADIR}/strata/${app})

  if(NOT STRATA_TESTS)
    return()
  endif()
  strata_unit_tests(${app} FOLDER ${folder} LINK strata-app-${app} strata-testing MAIN
                    strata-test-main)
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
                                  "finds=RESULT v=1 app=${app} status=PASS " ${expect_script}
             WORKING_DIRECTORY ${folder})
    strata_mpi_test(${test} ${ranks} "smoke;mpi")
  endforeach()

  foreach(kind skip value swap)
    set(test fault.${app}.${kind})
    # A set of equal values has no two to exchange.
    if(kind STREQUAL "swap")
      set(cases "^(?!set/)")
      set(lacks "FOM v=1 app=${app} case=([^s]|sc)")
    else()
      set(cases ".")
      set(lacks "FOM v=1")
    endif()
    add_test(NAME ${test} COMMAND ${expect} -D
                                  "arguments=--deck;decks/smoke.yaml;--output-dir;${CMAKE_CURRENT_BINARY_DIR}/fault-${kind}" -D exit=6 -D
                                  "finds=status=FAIL valid=no [^\n]* exit=6" -D "lacks=${lacks}" ${expect_script}
             WORKING_DIRECTORY ${folder})
    set_tests_properties(${test} PROPERTIES LABELS smoke ENVIRONMENT "STRATA_FAULT=${kind}:${cases}")
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
