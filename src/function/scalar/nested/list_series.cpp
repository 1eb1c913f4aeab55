// generate_series and range over columns: a list per row, whose elements become rows.
#include <algorithm>
#include <string>
#include <vector>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "function/table/series.hpp"
#include "function/text_account.hpp"

namespace scaup {
namespace {

constexpr const char* NameOf(bool includes_stop) { return includes_stop ? "generate_series" : "range"; }

/// Appends the values of a series, stored as T, as slots of a list.
template <typename T>
void AppendSlots(const FunctionContext& context, const char* function, const Series& series,
                 std::string& slots, TextAccount& account) {
  constexpr uint64_t kMaxElements = (uint64_t{1} << 30) / (1 + sizeof(int64_t));
  if (series.row_count > kMaxElements) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               std::string(function) + " of a column makes a list of more than 1 GiB for one row");
  }
  for (uint64_t i = 0; i < series.row_count; i++) {
    if (i % (64 * kVectorSize) == 0) context.CheckInterrupt();
    AppendFixedSlot(static_cast<T>(series.ValueAt(i)), slots);
    account.Note(slots);
  }
}

/// Sets result[row] to the series make(row); NULL if an argument is NULL.
template <typename T, typename Make>
void MakeLists(const ScalarCall& call, const char* function, DataChunk& arguments, Vector& result,
               Make&& make) {
  const size_t count = arguments.size();
  std::vector<UnifiedView> views;
  for (size_t i = 0; i < arguments.column_count(); i++) views.push_back(arguments.column(i).View(count));
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    if (!std::all_of(views.begin(), views.end(),
                     [&](const UnifiedView& view) { return view.IsValid(row); })) {
      result.SetNull(row);
      continue;
    }
    slots.clear();
    AppendSlots<T>(call.context, function, make(views, row), slots, account);
    out[row] = result.AddString(slots);
  }
}

template <bool kIncludesStop, typename T>
void Integers(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const char* function = NameOf(kIncludesStop);
  MakeLists<T>(call, function, arguments, result, [&](const std::vector<UnifiedView>& views, size_t row) {
    const auto value = [&](size_t argument) { return int64_t{views[argument].As<T>()[row]}; };
    if (views.size() == 1) return SeriesOfIntegers(function, 0, value(0), 1, kIncludesStop);
    return SeriesOfIntegers(function, value(0), value(1), views.size() == 3 ? value(2) : 1, kIncludesStop);
  });
}

template <bool kIncludesStop, bool kHasZone>
void Times(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const char* function = NameOf(kIncludesStop);
  MakeLists<int64_t>(
      call, function, arguments, result, [&](const std::vector<UnifiedView>& views, size_t row) {
        return SeriesOfTimes(call.context, function, views[0].As<int64_t>()[row], views[1].As<int64_t>()[row],
                             views[2].As<Interval>()[row], kHasZone, kIncludesStop);
      });
}

template <bool kIncludesStop>
void AddSeries(ScalarFunctionList& list) {
  const std::string name = NameOf(kIncludesStop);
  const auto add = [&](std::vector<LogicalType> types, TypeId element, ScalarKernel kernel,
                       const char* description, const char* call) {
    list.push_back(
        {.name = name,
         .argument_types = std::move(types),
         .return_type = LogicalType::List(element),
         .kernel = kernel,
         .description = description,
         .example = name + call,
         .nulls = NullHandling::kSpecial,
         // With time zone, the result depends on the session's zone.
         .volatility = element == TypeId::kTimestampTz ? Volatility::kStable : Volatility::kImmutable,
         .returns_set = true});
  };
  const TypeId number = TypeId::kBigInt, time = TypeId::kTimestamp, moment = TypeId::kTimestampTz;
  if (!kIncludesStop)
    add({number}, number, &Integers<false, int64_t>, "A row for each number from 0 up to, but without, stop.",
        "(3)");
  // As in PostgreSQL, a series of INTEGERs has INTEGERs; range is DuckDB's and always has BIGINTs.
  if (kIncludesStop) {
    const TypeId small = TypeId::kInteger;
    add({small, small}, small, &Integers<kIncludesStop, int32_t>, "A row for each number from start to stop.",
        "(1, 3)");
    add({small, small, small}, small, &Integers<kIncludesStop, int32_t>,
        "A row for each number from start to stop, step apart.", "(1, 7, 3)");
  }
  add({number, number}, number, &Integers<kIncludesStop, int64_t>,
      "A row for each number from start to stop.", kIncludesStop ? "(1::bigint, 3)" : "(1, 3)");
  add({number, number, number}, number, &Integers<kIncludesStop, int64_t>,
      "A row for each number from start to stop, step apart.",
      kIncludesStop ? "(1::bigint, 7, 3)" : "(1, 7, 3)");
  add({time, time, TypeId::kInterval}, time, &Times<kIncludesStop, false>,
      "A row for each time from start to stop, step apart.",
      "(TIMESTAMP '2024-01-31', TIMESTAMP '2024-04-01', INTERVAL '1 month')");
  add({moment, moment, TypeId::kInterval}, moment, &Times<kIncludesStop, true>,
      "A row for each moment from start to stop, step apart by the session's clocks.",
      "(TIMESTAMPTZ '2024-01-31 00:00+00', TIMESTAMPTZ '2024-02-02 00:00+00', INTERVAL '1 day')");
}

}  // namespace

ScalarFunctionList ListSeriesFunctions() {
  ScalarFunctionList list;
  AddSeries<true>(list);
  AddSeries<false>(list);
  return list;
}

}  // namespace scaup
