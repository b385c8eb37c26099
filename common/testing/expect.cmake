# Runs a program and holds its outcome against what is expected.
#   program, arguments    and, with `ranks` above 1, `mpiexec` and its `ranks_flag`
#   exit                  the exit code it must have
#   finds, lacks          regular expressions that its output must and must not match
#   prints                a file with the whole text that it must print to stderr

if(DEFINED ranks AND ranks GREATER 1)
  set(launch ${mpiexec} ${ranks_flag} ${ranks})
endif()
execute_process(COMMAND ${launch} ${program} ${arguments} RESULT_VARIABLE code
                OUTPUT_VARIABLE out ERROR_VARIABLE err)
set(failed "")
if(NOT code STREQUAL exit)
  list(APPEND failed "exit code ${code}, expected ${exit}")
endif()
if(DEFINED finds AND NOT out MATCHES "${finds}")
  list(APPEND failed "standard output lacks: ${finds}")
endif()
if(DEFINED lacks AND out MATCHES "${lacks}")
  list(APPEND failed "standard output has: ${lacks}")
endif()
if(DEFINED prints)
  file(READ ${prints} expected)
  if(NOT err STREQUAL expected)
    list(APPEND failed "standard error differs from ${prints}")
  endif()
endif()
if(failed)
  list(JOIN failed "\n  " failed)
  message(FATAL_ERROR "  ${failed}\n--- stdout\n${out}\n--- stderr\n${err}")
endif()
