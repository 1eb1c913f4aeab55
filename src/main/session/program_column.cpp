// Results of a program's functions: checks them, and converts them to the function's type.
#include "main/session/program_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/throw.hpp"
#include "format/arrow/arrow_reader.hpp"
#include "format/arrow/arrow_table.hpp"
#include "function/cast_function.hpp"
#include "type/text/utf8_text.hpp"
#include "type/type_rules.hpp"
#include "type/value_check.hpp"

namespace scaup {

namespace {

constexpr size_t kMostTextBytes = (size_t{1} << 30) - 1;

bool IsMoment(const LogicalType& type) {
  return type.id() == TypeId::kDate || type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz;
}

bool IsText(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kVarchar:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kUuid:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kEnum: return true;
    default: return false;
  }
}

/// Returns whether a result of type `given` may become one of type `wanted`.
bool MayBecome(const LogicalType& given, const LogicalType& wanted) {
  if (given == wanted || given.id() == TypeId::kNull) return true;
  if (given.id() == TypeId::kList && wanted.id() == TypeId::kList && IsMap(given) == IsMap(wanted))
    return MayBecome(given.element(), wanted.element());
  if (IsUnion(given) || IsUnion(wanted)) return ImplicitCastCost(given, wanted).has_value();
  if (given.id() == TypeId::kStruct && wanted.id() == TypeId::kStruct) {
    if (given.fields().size() != wanted.fields().size()) return false;
    for (size_t i = 0; i < given.fields().size(); i++) {
      if (!MayBecome(given.fields()[i].type, wanted.fields()[i].type)) return false;
    }
    return true;
  }
  // NumPy has no time of day.
  if (given.id() == TypeId::kInterval && wanted.id() == TypeId::kTime) return true;
  return (given.IsNumeric() && wanted.IsNumeric()) || (IsMoment(given) && IsMoment(wanted)) ||
         (IsText(given) && IsText(wanted));
}

template <typename T>
bool HasFraction(Vector& values, size_t count) {
  const auto view = values.ViewAs<T>(count);
  for (size_t row = 0; row < count; row++) {
    // Infinities and NaN are refused by the cast.
    if (view.IsValid(row) && std::isfinite(view[row]) && view[row] != std::trunc(view[row])) return true;
  }
  return false;
}

}  // namespace

ProgramColumn::ProgramColumn(const std::string& function, LogicalType type, size_t row_count,
                             const FunctionContext& context)
    : function_(function), type_(std::move(type)), row_count_(row_count), context_(context) {}

ProgramColumn::OwnValues& ProgramColumn::own_values() {
  if (auto* const own = std::get_if<OwnValues>(&rows_)) return *own;
  OwnValues own{MemoryReservation(context_.memory), {}, {}, nullptr};
  own.reservation.Resize(row_count_ * (PhysicalSize(PhysicalTypeOf(type_)) + 1));
  own.values.resize(row_count_ * PhysicalSize(PhysicalTypeOf(type_)));
  return rows_.emplace<OwnValues>(std::move(own));
}

void ProgramColumn::CheckRow(size_t row) const {
  if (row < row_count_) return;
  ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
             fmt::format("function {} sets row {} of {}", function_, row, row_count_));
}

void ProgramColumn::CheckRows(size_t given) const {
  if (given == row_count_) return;
  ThrowError(
      ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
      fmt::format("function {} was called for {} rows and returned {} values", function_, row_count_, given));
}

void ProgramColumn::CheckType(const LogicalType& given) const {
  if (MayBecome(given, type_)) return;
  ThrowError(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
             fmt::format("function {} returned {}, but it was created to return {}", function_,
                         given.ToString(), type_.ToString()));
}

void* ProgramColumn::Data() {
  if (PhysicalTypeOf(type_) == PhysicalType::kString) {
    ThrowError(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
               fmt::format("results of type {} have no array: set them row by row", type_.ToString()));
  }
  return own_values().values.data();
}

void ProgramColumn::SetText(size_t row, std::string_view text) {
  CheckRow(row);
  if (type_.id() != TypeId::kVarchar && type_.id() != TypeId::kBlob)
    return SetValue(row, Value::Varchar(std::string(text)));
  if (type_.id() == TypeId::kVarchar) CheckText(text, fmt::format("a text of function {}", function_));
  if (text.size() > kMostTextBytes) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               fmt::format("function {} returned a value of {} bytes; a value has at most {}", function_,
                           text.size(), kMostTextBytes));
  }
  OwnValues& own = own_values();
  StringRef stored(text.data(), static_cast<uint32_t>(text.size()));
  if (!stored.is_inline()) {
    if (!own.texts) own.texts = std::make_unique<Arena>(&context_.memory);
    auto* const copy = reinterpret_cast<char*>(own.texts->Allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    stored = StringRef(copy, static_cast<uint32_t>(text.size()));
  }
  std::memcpy(own.values.data() + row * sizeof(StringRef), &stored, sizeof(stored));
}

void ProgramColumn::SetValue(size_t row, const Value& value) {
  CheckRow(row);
  if (value.is_null()) return SetNull(row);
  CheckType(value.type());
  CheckGivenValue(value);
  Vector source(value), target(type_);
  target.AccountStrings(&context_.memory);
  Convert(value.type(), 1, source, target);
  target.Flatten(1);
  OwnValues& own = own_values();
  const size_t width = PhysicalSize(PhysicalTypeOf(type_));
  if (PhysicalTypeOf(type_) != PhysicalType::kString) {
    std::memcpy(own.values.data() + row * width, target.Data<std::byte>(), width);
    return;
  }
  StringRef text = *target.Data<StringRef>();
  if (!text.is_inline()) {
    if (!own.texts) own.texts = std::make_unique<Arena>(&context_.memory);
    auto* const copy = reinterpret_cast<char*>(own.texts->Allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    text = StringRef(copy, text.size());
  }
  std::memcpy(own.values.data() + row * width, &text, width);
}

void ProgramColumn::SetNull(size_t row) {
  CheckRow(row);
  OwnValues& own = own_values();
  if (own.nulls.empty()) own.nulls.resize(row_count_);
  own.nulls[row] = 1;
}

void ProgramColumn::SetColumn(ColumnView column) {
  CheckRows(column.row_count);
  CheckType(column.type);
  if (PhysicalTypeOf(column.type) == PhysicalType::kString || !column.owner ||
      column.value_bytes != PhysicalSize(PhysicalTypeOf(column.type))) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("function {} returned a column of texts, or one without an owner", function_));
  }
  rows_ = std::move(column);
}

void ProgramColumn::SetArrow(ArrowSchema* schema, ArrowArray* array) {
  OwnedArrowStream stream(schema, array);
  ArrowType type = stream.ReadType();
  std::shared_ptr<const ArrowArray> values = stream.Next();
  CheckArrowArray(type, *values);
  CheckRows(static_cast<size_t>(values->length));
  CheckType(type.type);
  rows_ = ArrowColumn{std::move(type), std::move(values)};
}

void ProgramColumn::Convert(const LogicalType& given, size_t count, Vector& source, Vector& output) const {
  if (given == type_) return output.Reference(source);
  if (type_.IsInteger()) {
    const bool has_fraction = given.id() == TypeId::kReal     ? HasFraction<float>(source, count)
                              : given.id() == TypeId::kDouble ? HasFraction<double>(source, count)
                                                              : false;
    if (has_fraction) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange,
                 fmt::format("function {} returned a number with a fraction, but it was created to return {}",
                             function_, type_.ToString()));
    }
  }
  const std::optional<CastFunction> cast = FindCast(given, type_);
  if (!cast) ThrowInternal(fmt::format("no cast from {} to {}", given.ToString(), type_.ToString()));
  output.Reset();
  if (given.id() == TypeId::kNull) return output.SetConstantNull();
  cast->kernel({context_, given, type_}, source, count, output);
}

void ProgramColumn::ReadAs(const LogicalType& given, size_t begin, size_t count, Vector& output) const {
  if (const auto* const arrow = std::get_if<ArrowColumn>(&rows_))
    return ReadArrowColumn(arrow->type, *arrow->array, begin, count, arrow->array, output);
  if (const auto* const column = std::get_if<ColumnView>(&rows_)) {
    const auto* const values = static_cast<const std::byte*>(column->data);
    return ReferenceRows({values, column->nulls, column->owner}, begin, count, output);
  }
  const size_t width = PhysicalSize(PhysicalTypeOf(given));
  const uint8_t* nulls = nullptr;
  output.Reset();
  if (const auto* const own = std::get_if<OwnValues>(&rows_)) {
    nulls = own->nulls.empty() ? nullptr : own->nulls.data();
    std::memcpy(output.MutableData<std::byte>(), own->values.data() + begin * width, count * width);
    if (PhysicalTypeOf(given) == PhysicalType::kString) {
      auto* const texts = output.MutableData<StringRef>();
      for (size_t row = 0; row < count; row++) texts[row] = output.AddString(texts[row].view());
    }
  } else {
    std::memset(output.MutableData<std::byte>(), 0, count * width);
  }
  for (size_t row = 0; nulls != nullptr && row < count; row++) {
    if (nulls[begin + row] != 0) output.SetNull(row);
  }
}

void ProgramColumn::Read(size_t begin, size_t count, Vector& output) const {
  const auto* const column = std::get_if<ColumnView>(&rows_);
  const auto* const arrow = std::get_if<ArrowColumn>(&rows_);
  const LogicalType& given = column != nullptr ? column->type : arrow != nullptr ? arrow->type.type : type_;
  if (given == type_) return ReadAs(given, begin, count, output);
  Vector source(given);
  source.AccountStrings(&context_.memory);
  ReadAs(given, begin, count, source);
  Convert(given, count, source, output);
}

}  // namespace scaup
