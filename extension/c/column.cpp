// Descriptions of columns for the C interface.
#include "column.hpp"

#include "edge.hpp"

namespace scaup::c {

void DescribeColumn(const std::vector<ResultColumn>& columns, size_t index, scaup_column* out) {
  Require(out, "the output");
  if (index >= columns.size()) {
    ThrowUsage("22023",
               "there is no column " + std::to_string(index) + " among " + std::to_string(columns.size()));
  }
  const ResultColumn& column = columns[index];
  *out = {};
  out->name = column.name.c_str();
  out->type = HandleOf(column.type);
  out->type_id = static_cast<scaup_type_id>(column.type.id());
  out->width = column.type.width();
  out->scale = column.type.scale();
}

}  // namespace scaup::c
