# cmake -DSOURCE=... -DOUTPUT=... -P commit.cmake: which sources a build is made from, asked at every build and written only when it changed.
# The commit, and for a changed tree "+" and a hash of the changes: results are stored under this name, and a run is gone on with only under the same.
execute_process(COMMAND git describe --always WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git diff HEAD WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changes ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
endif()
if(changes)
  string(SHA1 hash "${changes}")
  string(SUBSTRING ${hash} 0 7 hash)
  string(APPEND commit "+${hash}")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define NEURONCHECK_COMMIT \"${commit}\"\n")
