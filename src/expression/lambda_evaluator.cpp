// Evaluates lambdas: elements of many lists are unpacked into vectors, over which the body is evaluated.
#include "expression/lambda_evaluator.hpp"

#include "common/throw.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"

namespace scaup {

namespace {

std::vector<LogicalType> ColumnTypes(const FunctionExpression& call, const LambdaData& lambda) {
  const LogicalType element = call.arguments[0]->type().element();
  std::vector<LogicalType> types;
  if (lambda.use == LambdaUse::kReduce) types.push_back(call.type());
  types.push_back(element);
  types.emplace_back(TypeId::kBigInt);
  for (size_t i = lambda.argument_count(); i < call.arguments.size(); i++)
    types.push_back(call.arguments[i]->type());
  return types;
}

/// The type of the elements that a call of kMap makes; of kReduce, that of its value.
LogicalType ValueType(const FunctionExpression& call, const LambdaData& lambda) {
  return lambda.use == LambdaUse::kMap ? call.type().element() : call.type();
}

}  // namespace

/// Packs results into one list per row. They come in the order of the rows.
class LambdaEvaluator::Output {
 public:
  Output(const FunctionContext& context, TypedView<StringRef> lists, Vector& result)
      : account_(context), lists_(lists), result_(result) {}

  /// The list of a row, to which the next slots go. Lists of earlier rows are complete.
  std::string& ListOf(size_t row) {
    FinishBefore(row);
    return slots_;
  }
  void Note() { account_.Note(slots_); }
  void FinishBefore(size_t row) {
    for (; row_ < row; row_++) {
      if (lists_.IsValid(row_)) {
        result_.MutableData<StringRef>()[row_] = result_.AddString(slots_);
      } else {
        result_.SetNull(row_);
      }
      slots_.clear();
    }
  }

 private:
  TextAccount account_;
  TypedView<StringRef> lists_;
  Vector& result_;
  std::string slots_;
  size_t row_ = 0;
};

LambdaEvaluator::LambdaEvaluator(const FunctionContext& context, const FunctionExpression& call,
                                 const LambdaData& lambda)
    : context_(context),
      lambda_(lambda),
      element_(call.arguments[0]->type().element()),
      list_elements_(element_),
      load_(FindSlotLoader(element_)),
      append_(FindSlotAppender(ValueType(call, lambda))),
      write_lists_(list_elements_.has_fixed_slots() ? FindSlotListWriter(ValueType(call, lambda)) : nullptr),
      slot_bytes_(SlotBytes(element_)),
      result_slot_bytes_(SlotBytes(ValueType(call, lambda))),
      elements_(ColumnTypes(call, lambda)),
      selected_(ColumnTypes(call, lambda)),
      values_(ValueType(call, lambda)),
      value_rows_(kVectorSize) {
  if (lambda.body) body_.emplace(context, *lambda.body);
  if (lambda.condition) condition_.emplace(context, *lambda.condition);
  for (Vector& column : elements_.columns()) column.AccountStrings(&context.memory);
}

void LambdaEvaluator::Run(DataChunk& arguments, Vector& result) {
  if (lambda_.use == LambdaUse::kMap) {
    Map(arguments, result);
  } else {
    Reduce(arguments, result);
  }
}

/// Makes the columns of elements and indexes writable, and forgets the elements in them.
void LambdaEvaluator::PrepareChunk() {
  const size_t element_column = lambda_.parameter_count() - 2;
  elements_.column(element_column).Reset();
  elements_.column(element_column + 1).Reset();
  rows_ = std::make_shared<SelectionVector>();
  pending_ = 0;
}

/// Repeats the captured values for the elements of their rows.
void LambdaEvaluator::AddCaptures(DataChunk& arguments, size_t count) {
  const size_t first = lambda_.argument_count(), parameters = lambda_.parameter_count();
  for (size_t i = first; i < arguments.column_count(); i++)
    elements_.column(parameters + i - first).Slice(arguments.column(i), arguments.size(), rows_, count);
  elements_.SetSize(count);
}

void LambdaEvaluator::Map(DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  Output output(context_, lists, result);
  is_in_place_ = write_lists_ != nullptr && ReservePlaces(lists, count, result);
  list_elements_.Begin(lists, count);
  last_number_ = 0;
  while (true) {
    PrepareChunk();
    pending_ = list_elements_.Next(elements_.column(0), rows_->rows);
    if (pending_ == 0) break;
    if (lambda_.uses_index) NumberElements();
    MapElements(arguments, output);
  }
  if (is_in_place_) {
    FinishPlaces(lists, count, result);
  } else {
    output.FinishBefore(count);
  }
}

/// Fills the column of the elements' numbers, which begin with 1 in each list.
void LambdaEvaluator::NumberElements() {
  auto* const numbers = elements_.column(1).MutableData<int64_t>();
  for (size_t i = 0; i < pending_; i++) {
    if (rows_->rows[i] != numbered_row_) last_number_ = 0;
    numbered_row_ = rows_->rows[i];
    numbers[i] = ++last_number_;
  }
}

/// Allocates the results, which are at most as large as if the condition chose all elements. Returns false if
/// a condition may leave much of that unused.
bool LambdaEvaluator::ReservePlaces(TypedView<StringRef> lists, size_t count, Vector& result) {
  constexpr size_t kMostUnusedBytes = 4096;
  begins_.assign(count, nullptr);
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row) || lists[row].size() == 0) continue;
    const size_t size_bytes = MostResultBytes(lists[row]);
    if (condition_ && size_bytes > kMostUnusedBytes) return false;
    if (size_bytes >= kMostValueBytes) ThrowValueTooLong();
    begins_[row] = result.AllocateString(size_bytes);
  }
  places_ = begins_;
  return true;
}

void LambdaEvaluator::FinishPlaces(TypedView<StringRef> lists, size_t count, Vector& result) const {
  auto* const values = result.MutableData<StringRef>();
  for (size_t row = 0; row < count; row++) {
    const auto size_bytes = static_cast<uint32_t>(places_[row] - begins_[row]);
    values[row] = size_bytes == 0 ? StringRef() : StringRef(begins_[row], size_bytes);
    if (!lists.IsValid(row)) result.SetNull(row);
  }
}

/// Adds the first `count` values to the lists of their rows.
void LambdaEvaluator::AppendValues(size_t count, Output& output) {
  const UnifiedView values = values_.View(count);
  if (is_in_place_) return write_lists_(values, value_rows_.data(), count, places_.data());
  for (size_t i = 0; i < count;) {
    const sel_t row = value_rows_[i];
    std::string& list = output.ListOf(row);
    for (; i < count && value_rows_[i] == row; i++) append_(values_.type(), values, i, list);
    output.Note();
  }
}

/// Adds the slots of the chosen elements to the lists of their rows.
void LambdaEvaluator::AppendSlots(size_t count, Output& output) {
  for (size_t i = 0; i < count; i++)
    output.ListOf(value_rows_[i]) += list_elements_.slots()[chosen_->rows[i]];
  output.Note();
}

/// Evaluates the lambda over the elements in the chunk, and packs what it gives.
void LambdaEvaluator::MapElements(DataChunk& arguments, Output& output) {
  context_.CheckInterrupt();
  AddCaptures(arguments, pending_);
  size_t count = pending_;
  if (condition_) {
    chosen_ = std::make_shared<SelectionVector>();
    count = condition_->Select(0, elements_, *chosen_);
  }
  if (count == 0) return;
  for (size_t i = 0; i < count; i++) value_rows_[i] = rows_->rows[chosen_ ? chosen_->rows[i] : i];
  if (body_) {
    if (chosen_) selected_.Slice(elements_, chosen_, count);
    body_->Execute(0, chosen_ ? selected_ : elements_, values_);
    AppendValues(count, output);
  } else if (list_elements_.has_fixed_slots()) {
    values_.Slice(elements_.column(0), pending_, chosen_, count);
    AppendValues(count, output);
  } else {
    AppendSlots(count, output);
  }
}

/// Gives every row its first value, and its rest of the list. A list without elements has its initial value.
/// Returns the number of rows with elements to come, whose values are in the chunk.
size_t LambdaEvaluator::BeginReduction(DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  rests_.assign(count, {});
  Vector& values = elements_.column(0);
  values.Reset();
  size_t active = 0;
  const UnifiedView initial = lambda_.has_initial ? arguments.column(1).View(count) : UnifiedView();
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    std::string_view& rest = rests_[row] = lists[row].view();
    if (lambda_.has_initial) {
      CopyRow(initial, row, values, active);
    } else if (rest.empty()) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "list_reduce cannot reduce a list without elements; give it an initial value");
    } else {
      load_(element_, TakeSlot(element_, rest), values, active);
    }
    rows_->rows[active++] = static_cast<sel_t>(row);
  }
  return active;
}

/// Each step folds the next element of every row that has one.
void LambdaEvaluator::Reduce(DataChunk& arguments, Vector& result) {
  PrepareChunk();
  size_t active = BeginReduction(arguments, result);
  values_.Reference(elements_.column(0));
  for (int64_t index = lambda_.has_initial ? 1 : 2; active > 0; index++) {
    context_.CheckInterrupt();
    // Rows whose list has ended have their result; the others go on.
    const auto going_on = std::make_shared<SelectionVector>();
    const SelectionRef before = rows_;
    const UnifiedView values = values_.View(active);
    PrepareChunk();
    for (size_t i = 0; i < active; i++) {
      const sel_t row = before->rows[i];
      if (rests_[row].empty()) {
        CopyRow(values, i, result, row);
        continue;
      }
      load_(element_, TakeSlot(element_, rests_[row]), elements_.column(1), pending_);
      elements_.column(2).MutableData<int64_t>()[pending_] = index;
      going_on->rows[pending_] = static_cast<sel_t>(i);
      rows_->rows[pending_++] = row;
    }
    if (pending_ == 0) return;
    elements_.column(0).Slice(values_, active, going_on, pending_);
    active = pending_;
    AddCaptures(arguments, active);
    body_->Execute(0, elements_, values_);
  }
}

}  // namespace scaup
