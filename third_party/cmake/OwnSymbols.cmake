# What is linked shows its own symbols alone, so that it gets along with whatever else a program is made of.

# scaup_show_only(TARGET PATTERN...): of a shared library or module. It stays in memory when it is closed: threads that
# have run statements call into it when they end.
function(scaup_show_only target)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  list(JOIN ARGN "; " patterns)
  file(CONFIGURE OUTPUT ${script} CONTENT "{\n  global: @patterns@;\n  local: *;\n};\n" @ONLY)
  target_link_options(${target} PRIVATE LINKER:--version-script=${script} LINKER:-z,nodelete)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
endfunction()

# scaup_add_sealed_archive(TARGET ARCHIVE PATTERN...): the static library, of one object: with the libraries that are
# linked in, and all symbols local but those of the patterns. Like the shared one it has nothing that could clash.
function(scaup_add_sealed_archive target archive)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/scaup_sealed.o)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/scaup_sealed.objects)
  file(GENERATE OUTPUT ${list} CONTENT "$<JOIN:${SCAUP_OBJECTS},\n>\n")
  list(TRANSFORM ARGN PREPEND --keep-global-symbol= OUTPUT_VARIABLE kept)
  get_target_property(pg_query PgQuery::PgQuery IMPORTED_LOCATION)
  get_target_property(utf8proc Utf8proc::Utf8proc IMPORTED_LOCATION)
  add_executable(${target}_weaken ${PROJECT_SOURCE_DIR}/third_party/cmake/weaken_unique.cpp)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    # Parts that occur in several objects (inline functions, templates) become plain ones: as a group that the linker may
    # drop for another program's they could not be hidden.
    COMMAND ${SCAUP_RELOCATING_LINKER} -r --force-group-allocation -o ${object} @${list} ${pg_query} ${utf8proc}
    COMMAND ${target}_weaken ${object}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    COMMAND ${CMAKE_OBJCOPY} --wildcard ${kept} ${object}
    COMMAND ${CMAKE_AR} rcs ${archive} ${object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${object}
    DEPENDS ${SCAUP_OBJECTS} ${pg_query} ${utf8proc} ${list}
    COMMENT "Sealing libscaup.a" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${archive})
endfunction()
