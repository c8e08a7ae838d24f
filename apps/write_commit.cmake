# Writes OUTPUT, a header with the project's VERSION, BUILD type and commit, when any of them has changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
endif()
set(text "#pragma once\n\n#define MJJIT_VERSION \"${VERSION}\"\n#define MJJIT_COMMIT \"${commit}\"\n#define MJJIT_BUILD \"${BUILD}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
