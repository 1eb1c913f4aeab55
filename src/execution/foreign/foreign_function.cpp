// Calls of foreign functions in expressions, and the forms of their columns.
#include "execution/foreign/foreign_function.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/throw.hpp"
#include "execution/foreign/foreign_arguments.hpp"

namespace scaup {

std::shared_ptr<const FunctionData> ForeignFunctionData::ForConstants(std::vector<bool> given) const {
  if (!function->takes_constants() || given.empty()) return nullptr;
  // One argument is a column even if all are constants: it says how many rows there are.
  if (std::ranges::find(given, false) == given.end()) given.front() = false;
  if (std::ranges::find(given, true) == given.end()) return nullptr;
  return std::make_shared<ForeignFunctionData>(function, std::move(given));
}

const ForeignFunctionData& ForeignDataOf(const Expression& call) {
  return static_cast<const ForeignFunctionData&>(*call.As<FunctionExpression>().data);
}

BytewiseColumn BytewiseOf(const MaterializedColumn& column, std::shared_ptr<const void> owner) {
  const auto* const nulls =
      column.has_nulls ? reinterpret_cast<const uint8_t*>(column.nulls.data()) : nullptr;
  return {column.values.data(), nulls, std::move(owner)};
}

void ReferenceRows(const BytewiseColumn& column, size_t begin, size_t count, Vector& output) {
  const size_t width = PhysicalSize(output.physical_type());
  output.ReferenceFlat(column.values + begin * width, nullptr, column.owner);
  if (column.nulls == nullptr) return;
  std::array<ValidityWord, kValidityWords> words;
  words.fill(~ValidityWord{0});
  for (size_t row = 0; row < count; row++) {
    if (column.nulls[begin + row] != 0) SetInvalid(words.data(), row);
  }
  output.SetValidity(words.data());
}

bool IsForeignCall(const Expression& expression) {
  return expression.kind() == ExpressionKind::kFunction &&
         expression.As<FunctionExpression>().function.kernel == CallForeign;
}

void CheckConstant(Vector& column, size_t count) {
  if (column.is_constant()) return;
  const UnifiedView view = column.View(count);
  const size_t width = PhysicalSize(column.physical_type());
  const bool is_string = column.physical_type() == PhysicalType::kString;
  const auto is_first = [&](size_t row) {
    if (view.selection[row] == view.selection[0]) return true;
    if (view.IsValid(row) != view.IsValid(0)) return false;
    if (!view.IsValid(row)) return true;
    if (is_string) return view.As<StringRef>()[row] == view.As<StringRef>()[0];
    return std::memcmp(view.data + view.selection[row] * width, view.data + view.selection[0] * width,
                       width) == 0;
  };
  for (size_t row = 1; row < count; row++) {
    if (!is_first(row)) ThrowInternal("an argument that was bound as a constant has several values");
  }
}

void CallForeign(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ResultMemory memory(call.context.memory);
  ForeignArguments given(*static_cast<const ForeignFunctionData*>(call.data), arguments.types(), memory);
  given.Append(arguments.columns(), arguments.size());
  given.Call(call.context);
  given.Read(0, arguments.size(), result);
}

}  // namespace scaup
