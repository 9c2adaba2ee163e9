# Embeds docs/diagnostics/PLnnnn.md into a C++ source. Run as a script (cmake -P) with -DOUTPUT= and -DFOLDER=; included, it
# defines placid_diagnostic_pages(<target>), which generates the source, adds it, and copies the pages next to the binaries
# (share/doc/placid/diagnostics), where the language server's documentation links point.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB pages "${FOLDER}/PL[0-9][0-9][0-9][0-9].md")
  list(SORT pages)
  set(rows "")
  foreach(page IN LISTS pages)
    get_filename_component(code "${page}" NAME_WE)
    file(READ "${page}" text)
    string(APPEND rows "    {\"${code}\", R\"placid_page(${text})placid_page\"},\n")
  endforeach()
  # Never empty, so that the array is one also before the first page is written.
  file(WRITE "${OUTPUT}" "// Generated from docs/diagnostics.\n#include \"server/commands/diagnostic_pages.h\"\n\n"
                         "namespace placid::server {\n\nstatic constexpr DiagnosticPage kPages[] = {\n${rows}    {\"\", \"\"}};\n\n"
                         "std::span<const DiagnosticPage> diagnosticPages() {\n"
                         "  return std::span(kPages).first(std::size(kPages) - 1);\n}\n\n} // namespace placid::server\n")
  return()
endif()

function(placid_diagnostic_pages target)
  set(folder "${PROJECT_SOURCE_DIR}/docs/diagnostics")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/diagnostic_pages.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/placid_pages.cmake")
  set(shared "${CMAKE_BINARY_DIR}/share/doc/placid/diagnostics")
  file(GLOB pages CONFIGURE_DEPENDS "${folder}/PL[0-9][0-9][0-9][0-9].md")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DFOLDER=${folder}" -P "${script}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${shared}"
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${pages} "${script}" "${shared}"
    COMMAND ${CMAKE_COMMAND} -E rm "${shared}/placid_pages.cmake"
    DEPENDS ${pages} "${script}" COMMENT "Embedding the diagnostics pages" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
