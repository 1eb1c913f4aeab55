// Replacements for C library functions that libpg_query calls. Being part of a server, it would print when
// memory is short, and end the process at an error without a handler.
#include "parser/pg_query/pg_query_process.hpp"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/throw.hpp"

// See third_party/cmake/FindPgQuery.cmake. All other symbols are hidden, because a host program may have
// functions of the same names.
extern "C" {
PgQueryScanResult scaup_pg_query_scan(const char* text);
PgQueryParseResult scaup_pg_query_parse(const char* text);
void scaup_pg_query_free_scan_result(PgQueryScanResult result);
void scaup_pg_query_free_parse_result(PgQueryParseResult result);
extern __thread sig_atomic_t scaup_pg_query_initialized;
extern __thread void* scaup_TopMemoryContext;
extern __thread void* scaup_CurrentMemoryContext;
extern __thread void* scaup_ErrorContext;
extern __thread void* scaup_PG_exception_stack;
void scaup_FlushErrorState();
void scaup_MemoryContextDeleteChildren(void* context);
void scaup_pg_query_free_top_memory_context(void* context);
}

namespace scaup {

namespace {

/// Makes libpg_query initialize itself again for this thread's next text.
void ForgetThread() noexcept {
  scaup_TopMemoryContext = scaup_CurrentMemoryContext = scaup_ErrorContext = nullptr;
  scaup_PG_exception_stack = nullptr;
  scaup_pg_query_initialized = 0;
}

/// Frees libpg_query's memory of a thread that ends. Must not run twice in a thread.
void EndThread(void* context) noexcept {
  scaup_pg_query_free_top_memory_context(context);
  ForgetThread();
}

/// One key for all threads, made when the library is loaded, before any thread or fork.
class ThreadKey {
 public:
  ThreadKey() noexcept { is_made_ = pthread_key_create(&key_, EndThread) == 0; }
  ~ThreadKey() {
    if (is_made_.exchange(false)) pthread_key_delete(key_);
  }
  void Set(void* context) noexcept {
    if (is_made_) pthread_setspecific(key_, context);
  }

 private:
  pthread_key_t key_{};
  std::atomic<bool> is_made_{false};
};
ThreadKey thread_key;

/// Leaves libpg_query by an exception through its frames, which need no cleanup. Frees all of its memory
/// except 8 KiB, in which it records the rest.
void Leave() noexcept {
  if (scaup_ErrorContext != nullptr) scaup_FlushErrorState();
  scaup_CurrentMemoryContext = scaup_TopMemoryContext;
  if (scaup_TopMemoryContext != nullptr) scaup_MemoryContextDeleteChildren(scaup_TopMemoryContext);
  ForgetThread();
  thread_key.Set(nullptr);
}

[[noreturn]] void LeaveWithoutMemory() {
  Leave();
  throw std::bad_alloc();
}

}  // namespace

PgQueryScanResult ScanByPg(const char* text) { return scaup_pg_query_scan(text); }
PgQueryParseResult ParseByPg(const char* text) { return scaup_pg_query_parse(text); }
void FreeByPg(const PgQueryScanResult& result) noexcept { scaup_pg_query_free_scan_result(result); }
void FreeByPg(const PgQueryParseResult& result) noexcept { scaup_pg_query_free_parse_result(result); }

}  // namespace scaup

extern "C" {

void* scaup_pg_malloc(size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) scaup::LeaveWithoutMemory();
  return memory;
}

void* scaup_pg_realloc(void* old, size_t size) {
  void* const memory = std::realloc(old, size);
  if (memory == nullptr) scaup::LeaveWithoutMemory();
  return memory;
}

char* scaup_pg_strdup(const char* text) {
  char* const copy = strdup(text);
  if (copy == nullptr) scaup::LeaveWithoutMemory();
  return copy;
}

void scaup_pg_exit(int) {
  scaup::Leave();
  scaup::ThrowInternal("the SQL parser met an error that it cannot handle");
}

void scaup_pg_abort() { scaup_pg_exit(1); }
void scaup_pg___assert_fail(const char*, const char*, unsigned, const char*) { scaup_pg_exit(1); }

// Print nothing.
size_t scaup_pg_fwrite(const void*, size_t, size_t count, std::FILE*) { return count; }
int scaup_pg_fflush(std::FILE*) { return 0; }

// libpg_query makes one key for each thread that parses, but a process has only about a thousand. Use ours.
int scaup_pg_pthread_key_create(pthread_key_t*, void (*)(void*)) { return 0; }
int scaup_pg_pthread_setspecific(pthread_key_t, const void* context) {
  scaup::thread_key.Set(const_cast<void*>(context));
  return 0;
}
}
