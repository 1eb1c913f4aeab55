// SQL for other databases: lists of columns, and the filters that they understand as we do.
#pragma once

#include <string>
#include <vector>

#include "function/table_function.hpp"

namespace scaup {

/// The names of the wanted columns, quoted; "NULL" if there are none, as rows are counted all the same.
std::string ForeignColumns(const BoundTableFunction& bound, const std::vector<size_t>& columns);
/// " WHERE ..." of the filters by integers, doubles, and where `may_compare_text` says so for a column texts;
/// empty without any. `text_collation` is put behind columns of texts.
std::string ForeignConditions(const BoundTableFunction& bound, const std::vector<ScanFilter>& filters,
                              bool (*may_compare_text)(const BoundTableFunction& bound, size_t column,
                                                       ScanFilter::Op op),
                              const char* text_collation);

}  // namespace scaup
