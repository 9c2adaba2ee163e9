# Fails unless PROGRAM prints PAGE.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE made RESULT_VARIABLE status)
file(READ "${PAGE}" kept)
if(NOT status EQUAL 0 OR NOT made STREQUAL kept)
  message(FATAL_ERROR "${PAGE} is not what ${PROGRAM} prints: write it anew, `${PROGRAM} > ${PAGE}`")
endif()
