# The libraries of LLVM and MLIR that we use, as one target: placid_mlir. Archives by default, so that a program holds and
# loads only what it calls; the two shared libraries for sanitizers and where there are no archives (docs/adr/0035).

if(PLACID_SANITIZE)
  set(archivesByDefault OFF)
else()
  set(archivesByDefault ON)
endif()
option(PLACID_STATIC_MLIR "Link LLVM and MLIR from their archives" ${archivesByDefault})

# What our sources call by name. What these need of LLVM and MLIR is added below.
set(PLACID_MLIR_ROOTS MLIRIR MLIRPass MLIRParser MLIRTransforms MLIRArithDialect MLIRFuncDialect MLIRSCFDialect MLIROptLib
                      LLVMSupport LLVMRemarks)

# Sets `result` to the roots and everything of LLVM and MLIR that they need. The exported targets of MLIR name the shared libLLVM:
# it is left out, which is why the archives are linked as files and not as targets.
function(placid_mlir_closure result)
  set(todo ${ARGN})
  set(seen "")
  while(todo)
    list(POP_FRONT todo name)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" name "${name}")
    if(name IN_LIST seen OR NOT name MATCHES "^(MLIR|LLVM).+" OR NOT TARGET ${name})
      continue()
    endif()
    list(APPEND seen ${name})
    get_target_property(needs ${name} INTERFACE_LINK_LIBRARIES)
    if(needs)
      list(APPEND todo ${needs})
    endif()
  endwhile()
  set(${result} ${seen} PARENT_SCOPE)
endfunction()

add_library(placid_mlir INTERFACE)
set(absent "")
foreach(root IN LISTS PLACID_MLIR_ROOTS)
  if(NOT TARGET ${root})
    list(APPEND absent ${root})
  endif()
endforeach()
if(PLACID_STATIC_MLIR AND NOT absent)
  placid_mlir_closure(archives ${PLACID_MLIR_ROOTS})
  foreach(archive IN LISTS archives)
    target_link_libraries(placid_mlir INTERFACE "$<TARGET_FILE:${archive}>")
  endforeach()
  target_link_libraries(placid_mlir INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(placid_mlir INTERFACE -Wl,--gc-sections)
else()
  if(PLACID_STATIC_MLIR)
    message(WARNING "no archives of ${absent}: LLVM and MLIR are linked as shared libraries, and programs start 20 ms later")
  endif()
  target_link_libraries(placid_mlir INTERFACE MLIR LLVM)
endif()
