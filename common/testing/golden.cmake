# Holds the whole standard output of `program` with `arguments` against the file `golden`, but
# for what a machine, a build or a measurement puts into it. With STRATA_UPDATE_GOLDEN=1 in the
# environment the file is written anew.

# Sets `result` to `text` with a # for each such thing, and columns two spaces apart.
function(without_figures text result)
  string(PREPEND text "\n")
  string(REGEX REPLACE "\n(strata-[a-z0-9_]+) [^\n]*" "\n\\1 #" text "${text}")
  string(REGEX REPLACE "\nwarning: [^\n]*" "" text "${text}")
  string(REGEX REPLACE "   *" "\t" text "${text}")
  string(REGEX REPLACE "\n\t(build|ranks|devices|memory)\t[^\n]*" "\n\t\\1\t#" text "${text}")
  string(REGEX REPLACE "\t(best|median) [kMGTP]?([A-Za-z1]+/s)" "\t\\1 \\2" text "${text}")
  string(REGEX REPLACE "\n---+" "\n---" text "${text}")
  set(number "[0-9]+([.][0-9]+(e[-+]?[0-9]+)?|e[-+]?[0-9]+)")
  foreach(neighbour RANGE 1) # a match takes the tab that the next number starts with
    string(REGEX REPLACE "\t${number}(\t|\n)" "\t#\\3" text "${text}")
    string(REGEX REPLACE "\t[0-9.]+ [kMGTP]?([A-Za-z1]+/s)(\t|\n)" "\t# \\1\\2" text "${text}")
  endforeach()
  string(REGEX REPLACE " (value|best|reasons|file)=[^ \n]+" " \\1=#" text "${text}")
  string(REPLACE "\t" "  " text "${text}")
  string(SUBSTRING "${text}" 1 -1 text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${program} ${arguments} OUTPUT_VARIABLE out ERROR_VARIABLE err
                RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "  exit code ${code}\n--- stdout\n${out}\n--- stderr\n${err}")
endif()
without_figures("${out}" text)
if("$ENV{STRATA_UPDATE_GOLDEN}")
  file(WRITE ${golden} "${text}")
  return()
endif()

set(remedy "if that is meant: STRATA_UPDATE_GOLDEN=1 scripts/test ctest -L golden")
if(NOT EXISTS ${golden})
  message(FATAL_ERROR "  there is no ${golden}; ${remedy}")
endif()
file(READ ${golden} expected)
if(NOT text STREQUAL expected)
  file(WRITE ${found} "${text}")
  execute_process(COMMAND diff -U 2 --label expected --label found ${golden} ${found}
                  OUTPUT_VARIABLE difference ERROR_VARIABLE no_diff)
  string(REPLACE "\n" "\n  " difference "${difference}${no_diff}") # else CMake fills lines
  message(FATAL_ERROR "  standard output is not ${golden}; ${remedy}\n  ${difference}")
endif()
