// Lists of names of catalog objects.
#include "function/scalar/catalog/object_names.hpp"

#include <algorithm>

#include "common/check.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {
namespace {

struct NamesData final : FunctionData {
  explicit NamesData(ObjectNumber kind) : one(ObjectNameFunction(kind)) {}
  BoundFunction one;  ///< names a single OID
};

/// Names the OIDs, in as few calls as they fit in, because each call lists the catalog.
std::vector<Value> NamesOf(const ScalarCall& call, const std::vector<Value>& numbers) {
  const BoundFunction& one = static_cast<const NamesData*>(call.data)->one;
  const ScalarCall inner{call.context, one.data.get(), one.function.return_type};
  std::vector<Value> names;
  names.reserve(numbers.size());
  DataChunk chunk({TypeId::kBigInt});
  Vector texts(TypeId::kVarchar);
  for (size_t begin = 0; begin < numbers.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, numbers.size() - begin);
    chunk.ResetForWriting();
    for (size_t i = 0; i < count; i++) {
      const Value& number = numbers[begin + i];
      chunk.column(0).SetValue(i,
                               number.is_null() ? Value(TypeId::kBigInt) : Value::BigInt(number.GetBigInt()));
    }
    chunk.SetSize(count);
    texts.Reset();
    one.function.kernel(inner, chunk, texts);
    for (size_t i = 0; i < count; i++) names.push_back(texts.GetValue(i));
  }
  return names;
}

void NamesOfLists(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::vector<Value> numbers;
  std::vector<size_t> ends;
  std::vector<bool> is_null;
  for (size_t row = 0; row < arguments.size(); row++) {
    const Value list = arguments.column(0).GetValue(row);
    is_null.push_back(list.is_null());
    if (!list.is_null()) {
      for (Value& number : list.GetElements()) numbers.push_back(std::move(number));
    }
    ends.push_back(numbers.size());
  }
  const std::vector<Value> names = NamesOf(call, numbers);
  size_t begin = 0;
  for (size_t row = 0; row < arguments.size(); row++) {
    const auto first = names.begin() + static_cast<ptrdiff_t>(begin);
    const auto end = names.begin() + static_cast<ptrdiff_t>(ends[row]);
    result.SetValue(row, is_null[row] ? Value(call.return_type)
                                      : Value::List(TypeId::kVarchar, std::vector<Value>(first, end)));
    begin = ends[row];
  }
}

}  // namespace

BoundFunction ObjectNamesFunction(ObjectNumber kind) {
  SCAUP_CHECK(kind != ObjectNumber::kNone);
  // Functions are compared by their names, so that each kind has one of its own.
  return {ScalarFunction{.name = std::string("names of ") + ObjectNumberName(kind),
                         .argument_types = {LogicalType::List(TypeId::kBigInt)},
                         .return_type = LogicalType::List(TypeId::kVarchar),
                         .kernel = &NamesOfLists,
                         .description = "Converts OIDs of objects to their names.",
                         .example = "",
                         .volatility = Volatility::kStable,
                         .can_fail = false},
          std::make_shared<NamesData>(kind)};
}

}  // namespace scaup
