// libpg_query as it is linked in: under names of ours, and kept from the process.
#pragma once

#include <pg_query.h>

namespace scaup {

/// pg_query_scan and so on; throw std::bad_alloc where the system has no memory left.
PgQueryScanResult ScanByPg(const char* text);
PgQueryParseResult ParseByPg(const char* text);
void FreeByPg(const PgQueryScanResult& result) noexcept;
void FreeByPg(const PgQueryParseResult& result) noexcept;

}  // namespace scaup
