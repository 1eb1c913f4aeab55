// Listings: making the rows when the scan begins, and outputting them to any number of threads.
#include "system/listing.hpp"

#include <algorithm>
#include <atomic>

#include "function/database_listing.hpp"
#include "function/shared_table_function.hpp"

namespace scaup {
namespace {

class ListingShared : public TableFunctionShared {
 public:
  explicit ListingShared(ListingRows rows_in) : rows(std::move(rows_in)) {}
  /// Returns the first row of the next part; at or beyond the end if no rows are left.
  size_t Take() { return next_.fetch_add(kVectorSize); }
  const ListingRows rows;

 private:
  std::atomic<size_t> next_{0};
};

std::unique_ptr<TableFunctionShared> CreateShared(const TableFunctionCall& call) {
  const auto& bound = static_cast<const BoundListing&>(call.bound);
  if (bound.database.empty()) return std::make_unique<ListingShared>(bound.make_rows(call.context, bound));
  const FunctionContext other = call.context.With(call.context.listing.Of(bound.database));
  return std::make_unique<ListingShared>(bound.make_rows(other, bound));
}
void Next(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal&,
          DataChunk& output) {
  call.context.CheckInterrupt();
  auto& state = static_cast<ListingShared&>(shared);
  const size_t begin = state.Take();
  const size_t count = begin < state.rows.size() ? std::min(kVectorSize, state.rows.size() - begin) : 0;
  for (size_t i = 0; i < call.columns.size() && count > 0; i++) {
    Vector& column = output.column(i);
    column.Reset();
    for (size_t row = 0; row < count; row++) column.SetValue(row, state.rows[begin + row][call.columns[i]]);
  }
  output.SetSize(count);
  output.batch_index = begin / kVectorSize;
}

}  // namespace

Value TextOrNull(const std::string& text) {
  return text.empty() ? Value(LogicalType(TypeId::kVarchar)) : Value::Varchar(text);
}

Value TextOrNull(const std::optional<std::string>& text) {
  return text ? Value::Varchar(*text) : Value(LogicalType(TypeId::kVarchar));
}

TableFunction MakeListing(const char* name, const char* description, const char* example,
                          std::vector<LogicalType> argument_types,
                          std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext&,
                                                                      const TableFunctionArguments&)) {
  return MakeSharedTableFunction({name, description, example}, std::move(argument_types), bind, CreateShared,
                                 Next);
}

}  // namespace scaup
