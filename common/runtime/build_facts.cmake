# Writes strata_build.hpp from its template; run at every build.
#   source, version, build_type, flags, compiler, header: as their names say
#   commit: the commit built, for a tree without git; its state is then taken to be clean

set(STRATA_VERSION ${version})
set(STRATA_BUILD_TYPE "${build_type}")
set(STRATA_COMPILER "${compiler}")
string(STRIP "${flags}" STRATA_CXX_FLAGS)
set(STRATA_GIT_COMMIT unknown)
set(STRATA_GIT_DIRTY false)

find_program(git git)
if(commit)
  set(STRATA_GIT_COMMIT ${commit})
elseif(git AND EXISTS ${source}/.git)
  execute_process(COMMAND ${git} -C ${source} rev-parse HEAD OUTPUT_VARIABLE head
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(STRATA_GIT_COMMIT ${head})
    execute_process(COMMAND ${git} -C ${source} status --porcelain OUTPUT_VARIABLE changes)
    # Records that runs have left under results/ do not change what is built.
    string(REGEX REPLACE "\\?\\? results/[^\n]*\n" "" changes "${changes}")
    if(changes)
      set(STRATA_GIT_DIRTY true)
    endif()
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/strata_build.hpp.in ${header} @ONLY)
