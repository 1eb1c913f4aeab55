// Evaluates lambdas: elements of many lists are unpacked into vectors, over which the body is evaluated.
#include "expression/lambda_evaluator.hpp"

#include <algorithm>
#include <numeric>

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
      load_(FindSlotLoader(element_)),
      append_(FindSlotAppender(ValueType(call, lambda))),
      load_run_(FindSlotRunLoader(element_)),
      write_run_(FindSlotRunWriter(ValueType(call, lambda))),
      slot_bytes_(SlotBytes(element_)),
      result_slot_bytes_(SlotBytes(ValueType(call, lambda))),
      is_written_in_place_(load_run_ != nullptr && write_run_ != nullptr && !lambda.condition),
      elements_(ColumnTypes(call, lambda)),
      selected_(ColumnTypes(call, lambda)),
      values_(ValueType(call, lambda)),
      slots_(kVectorSize) {
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
  if (is_written_in_place_) ReservePlaces(lists, count, result);
  PrepareChunk();
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row)) continue;
    std::string_view list = lists[row].view();
    for (int64_t index = 1; !list.empty();) {
      const size_t begin = pending_, loaded = LoadElements(list, kVectorSize - pending_);
      std::fill_n(rows_->rows + begin, loaded, static_cast<sel_t>(row));
      if (lambda_.uses_index)
        std::iota(elements_.column(1).MutableData<int64_t>() + begin,
                  elements_.column(1).MutableData<int64_t>() + begin + loaded, index);
      index += static_cast<int64_t>(loaded);
      if (pending_ == kVectorSize) FlushElements(arguments, output);
    }
  }
  FlushElements(arguments, output);
  if (is_written_in_place_) {
    FinishPlaces(lists, count, result);
  } else {
    output.FinishBefore(count);
  }
}

/// Allocates the results, whose sizes follow from those of the lists.
void LambdaEvaluator::ReservePlaces(TypedView<StringRef> lists, size_t count, Vector& result) {
  places_.assign(count, nullptr);
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row) || lists[row].size() == 0) continue;
    const size_t size_bytes = ResultBytes(lists[row]);
    if (size_bytes >= kMostValueBytes) ThrowValueTooLong();
    places_[row] = result.AllocateString(size_bytes);
  }
}

void LambdaEvaluator::FinishPlaces(TypedView<StringRef> lists, size_t count, Vector& result) const {
  for (size_t row = 0; row < count; row++) {
    StringRef& value = result.MutableData<StringRef>()[row] = StringRef();
    if (!lists.IsValid(row)) {
      result.SetNull(row);
    } else if (places_[row] != nullptr) {
      const size_t size_bytes = ResultBytes(lists[row]);
      value = StringRef(places_[row] - size_bytes, static_cast<uint32_t>(size_bytes));
    }
  }
}

/// Moves elements from a list to the chunk. Returns their number.
size_t LambdaEvaluator::LoadElements(std::string_view& list, size_t most) {
  const bool keeps_slots = lambda_.body == nullptr;
  size_t count = 0;
  if (load_run_ != nullptr) {
    count = std::min(list.size() / slot_bytes_, most);
    if (count == 0) TakeSlot(element_, list);  // throws, because the list is damaged
    load_run_(list.data(), count, elements_.column(0), pending_);
    for (size_t i = 0; keeps_slots && i < count; i++)
      slots_[pending_ + i] = list.substr(i * slot_bytes_, slot_bytes_);
    list.remove_prefix(count * slot_bytes_);
  } else {
    for (; !list.empty() && count < most; count++) {
      const std::string_view slot = TakeSlot(element_, list);
      load_(element_, slot, elements_.column(0), pending_ + count);
      slots_[pending_ + count] = slot;
    }
  }
  pending_ += count;
  return count;
}

void LambdaEvaluator::AppendRun(const UnifiedView& values, size_t begin, size_t end, std::string& list) {
  if (write_run_ != nullptr) {
    const size_t before = list.size();
    list.resize(before + (end - begin) * result_slot_bytes_);
    write_run_(values, begin, end, list.data() + before);
    return;
  }
  for (size_t i = begin; i < end; i++) append_(values_.type(), values, i, list);
}

/// Appends `count` results to the lists of their rows: those of the chosen elements, or of all if `chosen` is
/// null.
void LambdaEvaluator::AppendValues(const sel_t* chosen, size_t count, Output& output) {
  const UnifiedView values = values_.View(count);
  const auto row_of = [&](size_t i) { return rows_->rows[chosen != nullptr ? chosen[i] : i]; };
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count && row_of(end) == row_of(begin)) end++;
    if (is_written_in_place_) {
      char*& place = places_[row_of(begin)];
      place = write_run_(values, begin, end, place);
    } else {
      AppendRun(values, begin, end, output.ListOf(row_of(begin)));
      output.Note();
    }
    begin = end;
  }
}

/// Evaluates the lambda over the elements in the chunk, and packs what it gives.
void LambdaEvaluator::FlushElements(DataChunk& arguments, Output& output) {
  if (pending_ == 0) return;
  context_.CheckInterrupt();
  AddCaptures(arguments, pending_);
  DataChunk* chunk = &elements_;
  size_t count = pending_;
  SelectionRef chosen;
  if (condition_) {
    chosen = std::make_shared<SelectionVector>();
    count = condition_->Select(0, elements_, *chosen);
    if (body_) selected_.Slice(elements_, chosen, count);
    chunk = &selected_;
  }
  if (body_ && count > 0) {
    body_->Execute(0, *chunk, values_);
    AppendValues(chosen ? chosen->rows : nullptr, count, output);
  }
  for (size_t i = 0; !body_ && i < count; i++) {
    output.ListOf(rows_->rows[chosen->rows[i]]) += slots_[chosen->rows[i]];
  }
  if (!body_) output.Note();
  PrepareChunk();
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
