// Checks names of collations, and which types have them.
#include "binder/scope/collation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/throw.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

constexpr const char* kCollationSchema = "pg_catalog";
constexpr std::string_view kCollations[] = {"default", "C", "POSIX", "ucs_basic"};

}  // namespace

void CheckCollation(const BindSession& session, const ast::Collation& collation) {
  const std::string name = fmt::format("{}", fmt::join(collation.names, "."));
  if (collation.names.size() > 2)
    ThrowNotSupported(fmt::format("a collation has no more than its schema in front, not {}", name),
                      collation.position);
  const bool has_schema = collation.names.size() == 2;
  const BinderContext& context = session.context();
  if (has_schema && collation.names[0] != kCollationSchema &&
      !context.catalog.FindSchema(context.transaction, collation.names[0])) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", collation.names[0]), collation.position);
  }
  const bool is_known = std::find(std::begin(kCollations), std::end(kCollations), collation.names.back()) !=
                        std::end(kCollations);
  if (is_known && (!has_schema || collation.names[0] == kCollationSchema)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedObject,
             fmt::format("collation \"{}\" for encoding \"UTF8\" does not exist; there are \"C\", \"POSIX\", "
                         "\"ucs_basic\" and \"default\", all of which order by bytes",
                         name),
             collation.position);
}

void CheckCollatable(const LogicalType& type, size_t position) {
  LogicalType element = type;
  while (element.id() == TypeId::kList) element = element.element();
  if (element.id() == TypeId::kVarchar) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
             fmt::format("collations are not supported by type {}", PostgresTypeName(type)), position);
}

void CheckCollation(const BindSession& session, const ast::Collation& collation, const LogicalType& type) {
  CheckCollation(session, collation);
  CheckCollatable(type, collation.position);
}

}  // namespace scaup
