# Finds libpg_query and makes PgQuery::PgQuery, a private copy of the part of it that is used. The library has two
# thousand C symbols with names that hosts have, too (lappend, palloc, errmsg): in the copy all are local but a few, which
# begin with scaup_. What it would ask of the process (to end, to print) is led to src/parser/pg_query/pg_query_process.cpp.
find_path(PgQuery_INCLUDE_DIR pg_query.h)
find_library(PgQuery_ARCHIVE libpg_query.a)
find_program(SCAUP_RELOCATING_LINKER NAMES ld.bfd ld)
mark_as_advanced(PgQuery_INCLUDE_DIR PgQuery_ARCHIVE SCAUP_RELOCATING_LINKER)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PgQuery REQUIRED_VARS PgQuery_ARCHIVE PgQuery_INCLUDE_DIR SCAUP_RELOCATING_LINKER CMAKE_OBJCOPY
  REASON_FAILURE_MESSAGE "libpg_query is linked in: its static library, GNU ld and objcopy are needed")

# What src/parser calls and sets: X becomes scaup_X.
set(PgQuery_symbols pg_query_scan pg_query_parse pg_query_free_scan_result pg_query_free_parse_result pg_query_initialized
    pg_query_free_top_memory_context MemoryContextDeleteChildren TopMemoryContext CurrentMemoryContext ErrorContext FlushErrorState PG_exception_stack)
# What it calls in the C library: X becomes scaup_pg_X.
set(PgQuery_replaced malloc realloc strdup exit abort __assert_fail fwrite fflush pthread_key_create pthread_setspecific)

if(PgQuery_FOUND AND NOT TARGET PgQuery::PgQuery)
  set(folder ${CMAKE_BINARY_DIR}/third_party)
  set(wanted "")
  set(options "")
  foreach(symbol IN LISTS PgQuery_symbols)
    list(APPEND wanted --undefined=${symbol})
    list(APPEND options --redefine-sym ${symbol}=scaup_${symbol} --keep-global-symbol=scaup_${symbol})
  endforeach()
  foreach(symbol IN LISTS PgQuery_replaced)
    list(APPEND options --redefine-sym ${symbol}=scaup_pg_${symbol})
  endforeach()
  file(MAKE_DIRECTORY ${folder})
  file(REMOVE ${folder}/libpg_query.a)
  execute_process(COMMAND ${SCAUP_RELOCATING_LINKER} -r -o ${folder}/pg_query.o ${wanted} ${PgQuery_ARCHIVE} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_OBJCOPY} ${options} ${folder}/pg_query.o COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_AR} rcs ${folder}/libpg_query.a ${folder}/pg_query.o COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PgQuery_ARCHIVE})
  add_library(PgQuery::PgQuery STATIC IMPORTED)
  set_target_properties(PgQuery::PgQuery PROPERTIES IMPORTED_LOCATION ${folder}/libpg_query.a
                        INTERFACE_INCLUDE_DIRECTORIES ${PgQuery_INCLUDE_DIR})
endif()
