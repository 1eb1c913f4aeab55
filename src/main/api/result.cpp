// The public QueryResult.
#include "scaup/result.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "main/api/moved_from.hpp"
#include "main/statement/result_data.hpp"
#include "type/number/stored_text.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"
#include "type/time/time_tz.hpp"
#include "type/time/time_zone.hpp"
#include "type/uuid.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

const MaterializedColumn& ColumnAt(const ResultData& data, size_t column, size_t row) {
  // Checked in all builds, as the numbers come from the program.
  if (column >= data.rows.columns.size() || row >= data.rows.row_count) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("row {}, column {} is outside a result of {} rows and {} columns", row, column,
                           data.rows.row_count, data.rows.columns.size()));
  }
  return data.rows.columns[column];
}

template <typename T>
const T& StoredAt(const MaterializedColumn& column, size_t row) {
  return reinterpret_cast<const T*>(column.values.data())[row];
}

int128_t UnscaledAt(const MaterializedColumn& column, size_t row) {
  switch (PhysicalSize(column.type)) {
    case sizeof(int16_t): return StoredAt<int16_t>(column, row);
    case sizeof(int32_t): return StoredAt<int32_t>(column, row);
    case sizeof(int64_t): return StoredAt<int64_t>(column, row);
    default: return StoredAt<int128_t>(column, row);
  }
}

/// Appends the text of a value of the usual types, without boxing it. Returns false for other types.
bool AppendScalarText(const MaterializedColumn& column, size_t row, std::string& out) {
  char buffer[kFormatBufferBytes];
  size_t size = 0;
  switch (column.type.id()) {
    case TypeId::kTinyInt: size = FormatInteger(StoredAt<int8_t>(column, row), buffer); break;
    case TypeId::kSmallInt: size = FormatInteger(StoredAt<int16_t>(column, row), buffer); break;
    case TypeId::kInteger: size = FormatInteger(StoredAt<int32_t>(column, row), buffer); break;
    case TypeId::kBigInt: size = FormatInteger(StoredAt<int64_t>(column, row), buffer); break;
    case TypeId::kUTinyInt: size = FormatUnsigned(StoredAt<uint8_t>(column, row), buffer); break;
    case TypeId::kUSmallInt: size = FormatUnsigned(StoredAt<uint16_t>(column, row), buffer); break;
    case TypeId::kUInteger: size = FormatUnsigned(StoredAt<uint32_t>(column, row), buffer); break;
    case TypeId::kUBigInt: size = FormatUnsigned(StoredAt<uint64_t>(column, row), buffer); break;
    case TypeId::kReal: size = FormatFloat(StoredAt<float>(column, row), buffer); break;
    case TypeId::kDouble: size = FormatDouble(StoredAt<double>(column, row), buffer); break;
    case TypeId::kDecimal: size = FormatDecimal(UnscaledAt(column, row), column.type.scale(), buffer); break;
    case TypeId::kDate: size = FormatDate(StoredAt<int32_t>(column, row), buffer); break;
    case TypeId::kTime: size = FormatTime(StoredAt<int64_t>(column, row), buffer); break;
    case TypeId::kTimeTz: size = FormatTimeTz(StoredAt<int64_t>(column, row), buffer); break;
    case TypeId::kTimestamp: size = FormatTimestamp(StoredAt<int64_t>(column, row), buffer); break;
    case TypeId::kInterval: size = FormatInterval(StoredAt<Interval>(column, row), buffer); break;
    case TypeId::kUuid: size = FormatUuid(StoredAt<int128_t>(column, row), buffer); break;
    case TypeId::kNumeric:
    case TypeId::kBit:
      AppendStoredText(column.type, StoredAt<StringRef>(column, row).view(), out);
      return true;
    default: return false;
  }
  out.append(buffer, size);
  return true;
}

}  // namespace

QueryResult::QueryResult() {
  using Shared = std::shared_ptr<const ResultData>;
  // Never destroyed: handles may outlive static objects at the end of the process.
  static const Shared& empty = *new Shared(std::make_shared<const ResultData>());
  data_ = empty;
}
QueryResult::~QueryResult() = default;
QueryResult::QueryResult(const QueryResult&) = default;
QueryResult& QueryResult::operator=(const QueryResult&) = default;
QueryResult::QueryResult(QueryResult&&) noexcept = default;
QueryResult& QueryResult::operator=(QueryResult&&) noexcept = default;

QueryResult ResultAccess::MakeResult(std::shared_ptr<const ResultData> data) {
  QueryResult result;
  result.data_ = std::move(data);
  return result;
}

const ResultData& QueryResult::data() const { return RequireState(data_, "result"); }

const std::vector<ResultColumn>& QueryResult::columns() const { return data().columns; }
size_t QueryResult::row_count() const { return data().rows.row_count; }
bool QueryResult::has_rows() const { return data().has_rows || !data().columns.empty(); }
uint64_t QueryResult::rows_changed() const { return data().rows_changed; }

ColumnView QueryResult::Column(size_t column) const {
  if (column >= data().rows.columns.size()) {
    ThrowError(
        ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
        fmt::format("there is no column {} in a result of {} columns", column, data_->rows.columns.size()));
  }
  const MaterializedColumn& source = data_->rows.columns[column];
  ColumnView view;
  view.type = source.type;
  view.row_count = data_->rows.row_count;
  view.value_bytes = PhysicalSize(source.type);
  view.data = source.values.data();
  view.nulls = source.has_nulls ? reinterpret_cast<const uint8_t*>(source.nulls.data()) : nullptr;
  view.owner = data_;
  return view;
}

bool QueryResult::IsNull(size_t column, size_t row) const {
  const MaterializedColumn& source = ColumnAt(data(), column, row);
  return source.has_nulls && source.nulls.data()[row] != std::byte{0};
}

std::string_view QueryResult::GetString(size_t column, size_t row) const {
  const MaterializedColumn& source = ColumnAt(data(), column, row);
  // Nested values, ranges, NUMERICs and BITs have string storage, but their bytes are no text.
  if (PhysicalTypeOf(source.type) != PhysicalType::kString || IsPacked(source.type.id()) ||
      HasStoredForm(source.type)) {
    ThrowError(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
               fmt::format("column {} is no text but {}", column, source.type.ToString()));
  }
  return reinterpret_cast<const StringRef*>(source.values.data())[row].view();
}

Value QueryResult::GetValue(size_t column, size_t row) const {
  const MaterializedColumn& source = ColumnAt(data(), column, row);
  return ValueOf(source, row);
}

void QueryResult::AppendText(size_t column, size_t row, std::string& out) const {
  const MaterializedColumn& source = ColumnAt(data(), column, row);
  if (!IsNull(column, row) && AppendScalarText(source, row, out)) return;
  // Only some types need the time zone for their text.
  const Value value = GetValue(column, row);
  Value text;
  if (!CastDependsOnTimeZone(value.type(), TypeId::kVarchar) || value.is_null()) {
    out += value.ToString();
  } else if (CastValue(value, TypeId::kVarchar, text, data_->time_zone.get())) {
    out += text.GetString();
  }
}

const std::string& QueryResult::time_zone() const {
  // Never destroyed, as above.
  static const std::string& utc = *new std::string("UTC");
  return data().time_zone ? data().time_zone->name() : utc;
}

std::string QueryResult::ToString() const {
  std::string text;
  for (size_t row = 0; row < row_count(); row++) {
    for (size_t column = 0; column < column_count(); column++) {
      if (column != 0) text += '\t';
      AppendText(column, row, text);
    }
    text += '\n';
  }
  return text;
}

}  // namespace scaup
