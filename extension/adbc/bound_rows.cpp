// The session that reads bound parameters.
#include "bound_rows.hpp"

#include "edge.hpp"

namespace scaup::adbc {

namespace {

constexpr const char* kTable = "adbc_bound";

}  // namespace

BoundRows::BoundRows(const registry::OpenDatabase& database, OwnedStream stream)
    : session_(database.database) {
  const OwnedSchema schema = SchemaOf(stream);
  if (schema->n_children == 0)
    ThrowInvalidArgument("the bound data has no columns: bind one for each parameter");
  for (int64_t i = 0; i < schema->n_children; i++) {
    const char* name = schema->children[i]->name;
    names_.emplace_back(name == nullptr ? "" : name);
  }
  OwnedStream numbered = NumberColumns(*schema, std::move(stream));
  session_.RegisterArrow(kTable, numbered.get());
  query_.emplace(session_.Stream(std::string("SELECT * FROM ") + kTable));
  for (const ResultColumn& column : query_->columns()) {
    const bool is_literal = column.type.id() == TypeId::kVarchar;
    types_.push_back(is_literal ? LogicalType() : column.type);
  }
}

bool BoundRows::Next(std::vector<Value>& values) {
  while (row_ == row_count_) {
    if (!query_->Fetch(rows_)) return false;
    row_ = 0;
    row_count_ = rows_.row_count();
  }
  values.resize(names_.size());
  for (size_t i = 0; i < values.size(); i++) values[i] = rows_.GetValue(i, row_);
  row_++;
  return true;
}

}  // namespace scaup::adbc
