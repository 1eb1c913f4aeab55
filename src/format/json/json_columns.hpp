// Rows of columns from documents: members by name, or each document as one value.
#pragma once

#include <memory>

#include "format/json/json_rows.hpp"

namespace scaup {

std::unique_ptr<JsonRows> MakeJsonColumns(const TableFunctionCall& call);

}  // namespace scaup
