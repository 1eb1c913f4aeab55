// Prepared plans: the types that values declare, and the attributes that a plan was bound for.
#include "main/statement/prepared_plan.hpp"

#include <algorithm>

#include "storage/table/table.hpp"
#include "storage/table/table_documents.hpp"

namespace scaup {

/// Declares values as PostgreSQL's drivers do. Text stays untyped, like a quoted literal, so that it converts
/// to what the context wants. Other values have their own types.
std::vector<LogicalType> DeclaredTypes(std::span<const Value> parameters) {
  std::vector<LogicalType> types;
  for (const Value& value : parameters) {
    const bool is_text = value.type().id() == TypeId::kVarchar;
    types.push_back(is_text ? LogicalType(TypeId::kNull) : value.type());
  }
  return types;
}

bool PreparedPlan::KnowsAttributes(const Transaction& transaction) const {
  return std::all_of(known_attributes.begin(), known_attributes.end(), [&](const KnownAttributes& known) {
    return known.collection->documents()->SeenBy(transaction).epoch() == known.epoch;
  });
}

}  // namespace scaup
