# Fails unless `readme` has the key table that `program` prints, word for word.
execute_process(COMMAND ${program} --print-keys OUTPUT_VARIABLE keys RESULT_VARIABLE code)
file(READ ${readme} text)
string(FIND "${text}" "${keys}" at)
if(NOT code EQUAL 0 OR keys STREQUAL "" OR at EQUAL -1)
  message(FATAL_ERROR "${readme} lacks the key table of --print-keys:\n${keys}")
endif()
