// Path values as JSON: read as other types, compared and ordered.
#include "common/memory/object_pool.hpp"
#include "document/json/json_order.hpp"
#include "document/value_conversion.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

struct ReadData final : FunctionData {
  mutable ObjectPool<AttributeConverter> pool;
};

void Read(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const ReadData&>(*call.data);
  std::unique_ptr<AttributeConverter> converter =
      data.pool.Take([] { return std::make_unique<AttributeConverter>(); });
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  ConvertedValues values(result, count);
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row)) continue;
    const std::string_view text = TrimJson(texts[row].view());
    if (text != "null") converter->ConvertJson(text, row, values);
  }
  values.Finish(nullptr);
  data.pool.GiveBack(std::move(converter));
}

/// Calls `append` for values that are not null and, with kNumbersAlone, are numbers.
template <bool kNumbersAlone, typename Append>
void Rewrite(DataChunk& arguments, Vector& result, const Append& append) {
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  auto* out = result.MutableData<StringRef>();
  std::string rewritten;
  for (size_t row = 0; row < count; row++) {
    const std::string_view text = texts.IsValid(row) ? texts[row].view() : "null";
    const JsonKind kind = JsonKindOf(text);
    if (kNumbersAlone ? kind != JsonKind::kNumber : kind == JsonKind::kNull) {
      result.SetNull(row);
      continue;
    }
    rewritten.clear();
    append(text, rewritten);
    out[row] = result.AddString(rewritten);
  }
}

void Order(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Rewrite<false>(arguments, result, &AppendJsonOrder);
}

void OrderNumbers(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Rewrite<true>(arguments, result, &AppendJsonOrder);
}

void OrderNumbersOfArrays(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  auto* out = result.MutableData<StringRef>();
  std::string slots, order;
  for (size_t row = 0; row < count; row++) {
    const std::string_view text = texts.IsValid(row) ? texts[row].view() : "null";
    if (JsonKindOf(text) != JsonKind::kArray) {
      result.SetNull(row);
      continue;
    }
    slots.clear();
    for (JsonIterator element(text); element.Next();) {
      if (JsonKindOf(element.value()) != JsonKind::kNumber) continue;
      order.clear();
      AppendJsonOrder(element.value(), order);
      AppendStringSlot(order, slots);
    }
    out[row] = result.AddString(slots);
  }
}

void Normalize(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Rewrite<false>(arguments, result, &AppendJsonNormal);
}

ResolvedScalar MakeFunction(const char* name, const LogicalType& result, ScalarKernel kernel,
                            std::shared_ptr<const FunctionData> data = nullptr) {
  ScalarFunction function;
  function.name = name;
  function.argument_types = {TypeId::kJson};
  function.return_type = result;
  function.kernel = kernel;
  function.can_fail = false;
  return {std::move(function), std::move(data)};
}

}  // namespace

ResolvedScalar DocumentValueFunction(const LogicalType& type) {
  ResolvedScalar resolved = MakeFunction(kDocumentValue, type, &Read, std::make_shared<ReadData>());
  resolved.function.argument_types.push_back(TypeId::kVarchar);
  return resolved;
}

ResolvedScalar DocumentOrderFunction(bool numbers_alone) {
  return numbers_alone ? MakeFunction("document_number_order", TypeId::kBlob, &OrderNumbers)
                       : MakeFunction("document_order", TypeId::kBlob, &Order);
}

ResolvedScalar DocumentNumberOrdersFunction() {
  return MakeFunction("document_number_orders", LogicalType::List(TypeId::kBlob), &OrderNumbersOfArrays);
}

ResolvedScalar DocumentNormalFunction() { return MakeFunction(kDocumentNormal, TypeId::kJson, &Normalize); }

}  // namespace scaup
