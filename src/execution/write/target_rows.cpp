// Target rows: their order.
#include "execution/write/target_rows.hpp"

#include <numeric>

#include "execution/run/query_context.hpp"
#include "execution/sort/spillable_sort.hpp"

namespace scaup {

bool AreNumbersAscending(QueryContext& context, const std::shared_ptr<const MaterializedRows>& rows) {
  KeptRowsReader reader(rows);
  DataChunk numbers(std::vector<LogicalType>{TypeId::kBigInt});
  int64_t previous = -1;
  for (size_t piece = 0; piece < rows->piece_count(); piece++) {
    context.functions.CheckInterrupt();
    reader.Read(piece, {0}, numbers);
    const auto view = numbers.column(0).ViewAs<int64_t>(numbers.size());
    for (size_t i = 0; i < numbers.size(); i++) {
      if (!view.IsValid(i) || view[i] <= previous) return false;
      previous = view[i];
    }
  }
  return true;
}

std::shared_ptr<const MaterializedRows> SortByNumber(
    QueryContext& context, std::shared_ptr<const MaterializedRows> rows,
    const std::vector<LogicalType>& types,
    const std::function<size_t(DataChunk& rows, sel_t* selected)>& select) {
  const SortSchema schema(types, {0}, {{types[0]}});
  SpillableSort sort(context, schema, nullptr);
  ForEachTargetChunk(context, rows, types, [&](DataChunk& chunk) { sort.Append(chunk); });
  rows.reset();
  auto sorted = std::make_unique<SpillableRows>(context, types);
  DataChunk kept(types);
  sort.ForEachChunk([&](DataChunk& chunk) {
    auto selection = std::make_shared<SelectionVector>();
    const size_t count = select(chunk, selection->rows);
    kept.Slice(chunk, selection, count);
    sorted->Append(kept);
    kept.Release();
  });
  sorted->Finish();
  return std::make_shared<const MaterializedRows>(context, std::move(sorted));
}

void ForEachTargetChunk(QueryContext& context, const std::shared_ptr<const MaterializedRows>& rows,
                        const std::vector<LogicalType>& types,
                        const std::function<void(DataChunk& chunk)>& visit) {
  std::vector<size_t> columns(types.size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  KeptRowsReader reader(rows);
  DataChunk chunk(types);
  for (size_t piece = 0; piece < rows->piece_count(); piece++) {
    context.functions.CheckInterrupt();
    chunk.Release();
    reader.Read(piece, columns, chunk);
    visit(chunk);
  }
}

std::span<const RowNumber> NumbersOf(DataChunk& chunk, RowNumber* numbers) {
  const auto view = chunk.column(0).ViewAs<int64_t>(chunk.size());
  for (size_t i = 0; i < chunk.size(); i++) numbers[i] = static_cast<RowNumber>(view[i]);
  return {numbers, chunk.size()};
}

}  // namespace scaup
