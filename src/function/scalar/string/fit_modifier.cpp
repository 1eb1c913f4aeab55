// Functions that cut, check and round values to the modifier of a type.
#include "function/scalar/string/fit_modifier.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/string/utf8.hpp"
#include "scaup/time_tz.hpp"
#include "type/number/bit_string.hpp"
#include "type/time/date_time.hpp"
#include "type/type_modifier.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

struct FitData final : FunctionData {
  LogicalType type;
  bool is_explicit = false;
};

constexpr int64_t kPostgresEpoch = 10957 * kMicrosPerDay;  // 2000-01-01

std::string_view WithoutTrailingSpaces(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Returns the part of a text that fits.
std::string_view FitText(std::string_view text, uint32_t length, const FitData& data) {
  const bool is_char = IsChar(data.type);
  if (is_char) text = WithoutTrailingSpaces(text);
  if (text.size() <= length || CountCharacters(text) <= length) return text;
  const std::string_view cut = FirstCharacters(text, length);
  const bool loses_spaces = WithoutTrailingSpaces(text.substr(cut.size())).empty();
  if (!data.is_explicit && !loses_spaces) {
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kStringTruncation,
        fmt::format("value too long for type {}({})", is_char ? "character" : "character varying", length));
  }
  return is_char ? WithoutTrailingSpaces(cut) : cut;
}

void FitTexts(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = *static_cast<const FitData*>(call.data);
  const uint32_t length = TextLengthOf(data.type).value();
  const bool is_char = IsChar(data.type);
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  const auto fits = [&](const StringRef& text) {
    return text.size() <= length && !(is_char && text.view().ends_with(' '));
  };
  bool all_fit = true;
  for (size_t row = 0; all_fit && row < count; row++) all_fit = !texts.IsValid(row) || fits(texts[row]);
  if (all_fit) return result.Reference(arguments.column(0));
  MapUnary<StringRef, StringRef>(arguments.column(0), count, result, [&](const StringRef& text) {
    return result.AddString(FitText(text.view(), length, data));
  });
}

/// Cuts or fills the bits at their end. In an assignment a BIT(n) takes only bit strings of its length.
void FitBits(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = *static_cast<const FitData*>(call.data);
  const bool is_varying = IsVaryingBit(data.type);
  const std::optional<uint32_t> length = BitLengthOf(data.type);
  if (!length) return result.Reference(arguments.column(0));
  BitString bits;
  std::string stored;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& value) {
    bits.Load(value.view());
    const bool fits = is_varying ? bits.size() <= *length : bits.size() == *length;
    if (!fits && !data.is_explicit) {
      ThrowError(
          ErrorKind::kOutOfRange, is_varying ? sqlstate::kStringTruncation : sqlstate::kStringLengthMismatch,
          is_varying ? fmt::format("bit string too long for type bit varying({})", *length)
                     : fmt::format("bit string length {} does not match type bit({})", bits.size(), *length));
    }
    if (fits) return result.AddString(value.view());
    bits.Resize(*length);
    bits.Store(stored);
    return result.AddString(stored);
  });
}

/// The lowest bits of an integer, as many as the type has.
void CutIntegers(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const uint32_t length = BitLengthOf(static_cast<const FitData*>(call.data)->type).value();
  BitString bits;
  std::string stored;
  MapUnary<int128_t, StringRef>(arguments.column(0), arguments.size(), result, [&](int128_t integer) {
    BitsOfInteger(integer, length, bits);
    bits.Store(stored);
    return result.AddString(stored);
  });
}

int64_t RoundTimeTz(int64_t stored, uint32_t precision) {
  const TimeTz time = LoadTimeTz(stored);
  return StoreTimeTz({RoundMicros(time.micros, precision), time.offset_seconds});
}

void RoundTimes(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& type = static_cast<const FitData*>(call.data)->type;
  const uint32_t precision = PrecisionOf(type).value_or(kMaxPrecision);
  MapUnary<int64_t, int64_t>(arguments.column(0), arguments.size(), result, [&](int64_t micros) {
    if (type.id() == TypeId::kTimeTz) return RoundTimeTz(micros, precision);
    if (IsInfiniteTimestamp(micros)) return micros;
    if (type.id() == TypeId::kTime) return RoundMicros(micros, precision);
    // PostgreSQL counts from the year 2000, and rounds half away from it.
    const int64_t rounded = RoundMicros(micros - kPostgresEpoch, precision) + kPostgresEpoch;
    if (!IsTimestampInRange(rounded))
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
    return rounded;
  });
}

/// Drops the fields below the last one of the type.
void DropFields(Interval& interval, uint32_t fields) {
  if ((fields & kIntervalSecond) != 0) return;
  const bool has_time = (fields & (kIntervalHour | kIntervalMinute)) != 0;
  if (has_time) {
    const bool has_minutes = (fields & kIntervalMinute) != 0;
    interval.micros -= interval.micros % (has_minutes ? kMicrosPerMinute : kMicrosPerHour);
    return;
  }
  interval.micros = 0;
  if ((fields & kIntervalDay) != 0) return;
  interval.days = 0;
  if ((fields & kIntervalMonth) == 0) interval.months -= interval.months % 12;
}

void FitIntervals(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& type = static_cast<const FitData*>(call.data)->type;
  const uint32_t fields = IntervalFieldsOf(type);
  const uint32_t precision = PrecisionOf(type).value_or(kMaxPrecision);
  MapUnary<Interval, Interval>(arguments.column(0), arguments.size(), result, [&](Interval interval) {
    if (fields != kAllIntervalFields) DropFields(interval, fields);
    interval.micros = RoundMicros(interval.micros, precision);
    return interval;
  });
}

void FillTexts(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const uint32_t length = TextLengthOf(static_cast<const FitData*>(call.data)->type).value();
  std::string filled;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    const size_t characters = CountCharacters(text.view());
    filled = text.view();
    if (characters < length) filled.append(length - characters, ' ');
    return result.AddString(filled);
  });
}

/// Numbers stay what they are, whatever object they are said to be of.
void KeepNumbers(const ScalarCall&, DataChunk& arguments, Vector& result) {
  result.Reference(arguments.column(0));
}

ScalarKernel KernelOf(TypeId id) {
  if (id == TypeId::kBigInt) return &KeepNumbers;
  if (id == TypeId::kVarchar) return &FitTexts;
  if (id == TypeId::kBit) return &FitBits;
  return id == TypeId::kInterval ? &FitIntervals : &RoundTimes;
}

BoundFunction Make(const char* name, const LogicalType& type, ScalarKernel kernel, bool is_explicit) {
  auto data = std::make_shared<FitData>();
  data->type = type;
  data->is_explicit = is_explicit;
  const bool can_cut = (type.id() == TypeId::kVarchar || type.id() == TypeId::kBit) && is_explicit;
  return {ScalarFunction{.name = name,
                         .argument_types = {WithoutModifier(type)},
                         .return_type = WithoutModifier(type),
                         .kernel = kernel,
                         .description = "Makes a value fit the modifier of its type.",
                         .example = "",
                         .can_fail = !can_cut},
          std::move(data)};
}

}  // namespace

BoundFunction FittingFunction(const LogicalType& type, bool is_explicit) {
  SCAUP_CHECK(ModifierBits(type) != 0);
  // Calls with different data are different calls, and functions are compared by their names.
  const std::string name = fmt::format("{}{}", is_explicit ? "cast to " : "fit ", DeclaredTypeName(type));
  return Make(name.c_str(), type, KernelOf(type.id()), is_explicit);
}

BoundFunction CutBitsFunction(const LogicalType& type) {
  SCAUP_CHECK(BitLengthOf(type) && !IsVaryingBit(type));
  BoundFunction cut =
      Make(fmt::format("cut to {}", DeclaredTypeName(type)).c_str(), type, &CutIntegers, true);
  cut.function.argument_types = {TypeId::kHugeInt};
  return cut;
}

BoundFunction FillingFunction(const LogicalType& type) {
  SCAUP_CHECK(IsChar(type));
  BoundFunction filling =
      Make(fmt::format("fill {}", DeclaredTypeName(type)).c_str(), type, &FillTexts, true);
  filling.function.can_fail = false;
  return filling;
}

}  // namespace scaup
