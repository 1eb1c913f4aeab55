// Array unnest: evaluates the elements as columns, and interleaves them.
#include "execution/scan/array_unnest.hpp"

#include <algorithm>
#include <cstring>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/expression_executor.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

/// Returns the elements of an array constructor; null for any other expression.
std::vector<ExpressionPtr>* ConstructedElements(Expression& list) {
  if (list.kind() != ExpressionKind::kFunction) return nullptr;
  auto& call = list.As<FunctionExpression>();
  if (call.function.name != "list_value") return nullptr;
  const bool have_type =
      std::all_of(call.arguments.begin(), call.arguments.end(),
                  [&](const ExpressionPtr& element) { return element->type() == list.type().element(); });
  return have_type ? &call.arguments : nullptr;
}

/// Returns the number of elements of a list that this operator can read; 0 if it cannot.
size_t LengthOf(Expression& list) {
  if (list.type().id() != TypeId::kList) return 0;
  if (const auto* elements = ConstructedElements(list)) return elements->size();
  if (list.kind() != ExpressionKind::kConstant) return 0;
  const Value& value = list.As<ConstantExpression>().value;
  return value.is_null() ? 0 : value.GetElements().size();
}

bool AreDistinct(const std::vector<Value>& values) {
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i].is_null() || std::find(values.begin(), values.begin() + static_cast<ptrdiff_t>(i),
                                         values[i]) != values.begin() + static_cast<ptrdiff_t>(i))
      return false;
  }
  return true;
}

/// target[row * length + place] = source[begin + row] for `rows` rows.
void Interleave(Vector& source, size_t source_size, size_t begin, size_t rows, size_t length, size_t place,
                Vector& target) {
  const UnifiedView view = source.View(source_size);
  std::byte* out = target.MutableData<std::byte>();
  VisitWidth(PhysicalSize(target.physical_type()), [&]<size_t kBytes>() {
    for (size_t row = 0; row < rows; row++)
      std::memcpy(out + (row * length + place) * kBytes, view.data + view.selection[begin + row] * kBytes,
                  kBytes);
  });
  if (view.validity == nullptr) return;
  for (size_t row = 0; row < rows; row++) {
    if (!view.IsValid(begin + row)) target.SetNull(row * length + place);
  }
}

/// A thread's input chunk, its elements, and its position in it.
class ArrayUnnestLocal final : public LocalState {
 public:
  ArrayUnnestLocal(QueryContext& context, const std::vector<ExpressionPtr>& expressions,
                   const std::vector<LogicalType>& input_types)
      : executor(context.functions, expressions), input(input_types), elements(TypesOf(expressions)) {}

  ExpressionExecutor executor;
  DataChunk input;
  DataChunk elements;
  size_t next_row = 0;
  std::vector<Vector> constants;         // By list; empty vectors for lists with expressions.
  std::vector<Dictionary> dictionaries;  // Of these.
  SelectionRef places;                   // 0, ..., length - 1, again and again.
};

}  // namespace

bool ArrayUnnest::CanRun(const std::vector<ExpressionPtr>& lists) {
  const size_t length = lists.empty() ? 0 : LengthOf(*lists[0]);
  return length != 0 && length <= kVectorSize &&
         std::all_of(lists.begin(), lists.end(),
                     [&](const ExpressionPtr& list) { return LengthOf(*list) == length; });
}

ArrayUnnest::ArrayUnnest(PhysicalOperatorPtr child, std::vector<ExpressionPtr> lists, bool has_ordinality,
                         std::vector<LogicalType> types)
    : PhysicalOperator("Unnest", std::move(types)), has_ordinality_(has_ordinality) {
  SCAUP_ASSERT(CanRun(lists));
  children.push_back(std::move(child));
  length_ = LengthOf(*lists[0]);
  for (ExpressionPtr& expression : lists) {
    List& list = lists_.emplace_back();
    list.first_element = elements_.size();
    if (auto* elements = ConstructedElements(*expression)) {
      for (ExpressionPtr& element : *elements) elements_.push_back(std::move(element));
    } else {
      list.constants = expression->As<ConstantExpression>().value.GetElements();
    }
  }
}

std::unique_ptr<LocalState> ArrayUnnest::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<ArrayUnnestLocal>(context, elements_, children[0]->types());
  const size_t first_column = children[0]->types().size();
  for (size_t i = 0; i < lists_.size(); i++) {
    Vector& values = local->constants.emplace_back(types()[first_column + i]);
    values.Reset();
    for (size_t place = 0; place < lists_[i].constants.size(); place++)
      values.SetValue(place, lists_[i].constants[place]);
    // Readers work once per entry of a dictionary, such as groups of the names of UNPIVOT.
    local->dictionaries.push_back({values.Data<std::byte>(), values.Validity(), lists_[i].constants.size(),
                                   values.SharedMemory(), AreDistinct(lists_[i].constants)});
  }
  auto places = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < kVectorSize; i++) places->rows[i] = static_cast<sel_t>(i % length_);
  local->places = std::move(places);
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

void ArrayUnnest::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                          DataChunk& output) const {
  auto& local = static_cast<ArrayUnnestLocal&>(local_state);
  if (local.next_row == local.input.size()) {
    children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
    if (local.input.size() == 0) return;
    local.next_row = 0;
    local.elements.Release();
    local.executor.Execute(local.input, local.elements);
  }
  const size_t rows = std::min(local.input.size() - local.next_row, kVectorSize / length_);
  const size_t count = rows * length_;
  auto selection = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < count; i++) selection->rows[i] = static_cast<sel_t>(local.next_row + i / length_);
  const size_t child_columns = local.input.column_count();
  for (size_t i = 0; i < child_columns; i++)
    output.column(i).Slice(local.input.column(i), local.input.size(), selection, count);
  for (size_t i = 0; i < lists_.size(); i++) {
    Vector& column = output.column(child_columns + i);
    if (!lists_[i].constants.empty()) {
      column.ReferenceDictionary(local.dictionaries[i], local.places);
      continue;
    }
    column.Reset();
    for (size_t place = 0; place < length_; place++) {
      Interleave(local.elements.column(lists_[i].first_element + place), local.input.size(), local.next_row,
                 rows, length_, place, column);
    }
  }
  if (has_ordinality_) {
    Vector& column = output.column(child_columns + lists_.size());
    column.Reset();
    for (size_t i = 0; i < count; i++)
      column.MutableData<int64_t>()[i] = static_cast<int64_t>(local.places->rows[i]) + 1;
  }
  local.next_row += rows;
  output.SetSize(count);
  output.batch_index = local.input.batch_index;
}

}  // namespace scaup
