// libpg_query under prefixed names, with its access to the process replaced.
#pragma once

#include <pg_query.h>

namespace scaup {

/// Call pg_query_scan and so on. Throw std::bad_alloc if the system has no memory left.
PgQueryScanResult ScanByPg(const char* text);
PgQueryParseResult ParseByPg(const char* text);
void FreeByPg(const PgQueryScanResult& result) noexcept;
void FreeByPg(const PgQueryParseResult& result) noexcept;

}  // namespace scaup
