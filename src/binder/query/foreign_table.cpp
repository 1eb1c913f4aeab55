// Finds tables that the program offers.
#include "binder/query/foreign_table.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "format/arrow/arrow_scan.hpp"
#include "format/arrow/foreign_tables.hpp"

namespace scaup {

std::shared_ptr<const BoundTableFunction> BindForeignTable(const BindSession& session,
                                                           const ast::NamedTable& table) {
  ForeignTables* tables = session.context().foreign;
  if (tables == nullptr || !table.schema.empty()) return nullptr;
  std::shared_ptr<ArrowTable> found = tables->Find(table.name);
  if (!found) return nullptr;
  if (session.reads != nullptr) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
        fmt::format("a view cannot read \"{}\", which the program offers and the database does not keep: "
                    "make a table of it first",
                    table.name),
        table.position);
  }
  return BindArrowScan(std::move(found));
}

}  // namespace scaup
