/* Functions of a host program that have the names of functions of PostgreSQL's parser and of other libraries which
 * Scaup uses. Whoever calls one of them instead of his own is told apart by the count. */
#include <stddef.h>

int clashing_calls = 0;

#define CLASH(name)   \
  void* name(void) {  \
    clashing_calls++; \
    return NULL;      \
  }

CLASH(lappend)
CLASH(lcons)
CLASH(list_make1_impl)
CLASH(list_copy)
CLASH(list_concat)
CLASH(list_free)
CLASH(list_nth)
CLASH(palloc)
CLASH(palloc0)
CLASH(repalloc)
CLASH(pfree)
CLASH(pstrdup)
CLASH(psprintf)
CLASH(equal)
CLASH(errmsg)
CLASH(errcode)
CLASH(errstart)
CLASH(errfinish)
CLASH(elog_start)
CLASH(hash_search)
CLASH(hash_bytes)
CLASH(write_stderr)
CLASH(proc_exit)
CLASH(strtoint)
CLASH(makeNode)
CLASH(makeInteger)
CLASH(makeString)
CLASH(raw_parser)
CLASH(scanner_init)
CLASH(core_yylex)
CLASH(base_yyparse)
CLASH(initStringInfo)
CLASH(appendStringInfo)
CLASH(appendStringInfoString)
CLASH(MemoryContextAlloc)
CLASH(MemoryContextInit)
CLASH(MemoryContextStats)
CLASH(AllocSetContextCreateInternal)
CLASH(pg_query_parse)
CLASH(pg_query_scan)
CLASH(pg_query_init)
CLASH(pg_fprintf)
CLASH(pg_snprintf)
CLASH(XXH64)
CLASH(XXH32)
CLASH(XXH3_64bits)
CLASH(XXH3_128bits)
CLASH(utf8proc_toupper)
CLASH(utf8proc_tolower)
CLASH(utf8proc_map)
CLASH(utf8proc_iterate)
CLASH(protobuf_c_message_pack)

/* A variable, too. */
void* CurrentMemoryContext = NULL;
int pg_query_initialized = 7;
