// Gathers arguments of a call, leaves out rows that need none, and puts results in their places.
#include "execution/foreign/foreign_arguments.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/check.hpp"

namespace scaup {

namespace {

constexpr uint32_t kOmittedPlace = UINT32_MAX;
constexpr uint32_t kUnknownPlace = UINT32_MAX - 1;
/// The entries of a dictionary whose places are remembered at most.
constexpr size_t kMostEntries = 65536;

std::vector<LogicalType> TypesAt(const std::vector<LogicalType>& types, const std::vector<size_t>& places) {
  std::vector<LogicalType> chosen;
  for (const size_t place : places) chosen.push_back(types[place]);
  return chosen;
}

/// Returns the numbers of the arguments that are constants, or of the others.
std::vector<size_t> ArgumentsOf(const std::vector<bool>& is_constant, size_t count, bool constants) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < count; i++) {
    if ((!is_constant.empty() && is_constant[i]) == constants) numbers.push_back(i);
  }
  return numbers;
}

size_t StringBytes(DataChunk& chunk) {
  size_t bytes = 0;
  for (Vector& column : chunk.columns()) {
    if (column.physical_type() != PhysicalType::kString) continue;
    const auto strings = column.ViewAs<StringRef>(chunk.size());
    for (size_t row = 0; row < chunk.size(); row++) bytes += strings.IsValid(row) ? strings[row].size() : 0;
  }
  return bytes;
}

MaterializedResult MoveRows(ResultAppender& appender) {
  MaterializedResult rows;
  rows.row_count = appender.row_count();
  rows.columns = std::move(appender.columns());
  rows.heaps.push_back(appender.TakeHeap());
  return rows;
}

}  // namespace

// --- Results of entries

struct EntryResults::Values {
  Values(const LogicalType& type, MemoryTracker& tracker) : memory(tracker), rows({type}, memory) {}
  const ResultMemory memory;
  ResultAppender rows;
  std::vector<ValidityWord> validity;
};

EntryResults::EntryResults(const ForeignColumn& results, const LogicalType& type, size_t count,
                           MemoryTracker& memory)
    : count_(static_cast<uint32_t>(count)) {
  auto values = std::make_shared<Values>(type, memory);
  DataChunk chunk({type});
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    const size_t part = std::min(kVectorSize, count - begin);
    chunk.Release();
    chunk.column(0).AccountStrings(&memory);
    results.Read(begin, part, chunk.column(0));
    chunk.SetSize(part);
    values->rows.Append(chunk);
  }
  chunk.Release();
  chunk.column(0).SetConstantNull();
  chunk.SetSize(1);
  values->rows.Append(chunk);
  values->validity.assign((count + kVectorSize) / 64 + 1, ~ValidityWord{0});
  const auto* const nulls = reinterpret_cast<const uint8_t*>(values->rows.columns()[0].nulls.data());
  for (size_t i = 0; i <= count; i++) {
    if (nulls[i] != 0) SetInvalid(values->validity.data(), i);
  }
  values_ = std::move(values);
}

void EntryResults::Read(const uint32_t* places, size_t count, bool pays_off, Vector& output) const {
  auto selection = std::make_shared<SelectionVector>();
  for (size_t row = 0; row < count; row++)
    selection->rows[row] = places[row] == kOmittedPlace ? null_place() : places[row];
  Dictionary entries;
  entries.data = const_cast<Values&>(*values_).rows.columns()[0].values.data();
  entries.validity = values_->validity.data();
  entries.size = size_t{count_} + 1;
  entries.owner = values_;
  entries.is_distinct = pays_off;  // Some may be equal, but the saved work is the same.
  output.ReferenceDictionary(std::move(entries), std::move(selection));
}

// --- Arguments

ForeignArguments::ForeignArguments(const ForeignFunctionData& data, const std::vector<LogicalType>& types,
                                   const ResultMemory& memory)
    : function_(*data.function),
      is_constant_(data.is_constant),
      columns_(ArgumentsOf(is_constant_, types.size(), false)),
      constants_(ArgumentsOf(is_constant_, types.size(), true)),
      column_types_(TypesAt(types, columns_)),
      given_(column_types_, memory),
      given_constants_(TypesAt(types, constants_), memory),
      memory_(memory.tracker()) {}

// Keeps the constants of the first row, and checks that they are constants.
void ForeignArguments::TakeConstants(std::span<Vector> arguments, size_t count) {
  for (const size_t i : constants_) CheckConstant(arguments[i], count);
  if (constants_.empty() || given_constants_.row_count() != 0) return;
  std::vector<LogicalType> types;
  for (const MaterializedColumn& column : given_constants_.columns()) types.push_back(column.type);
  DataChunk row(types);
  for (size_t i = 0; i < constants_.size(); i++) row.column(i).Reference(arguments[constants_[i]]);
  row.SetSize(1);
  given_constants_.Append(row);
  for (const MaterializedColumn& column : given_constants_.columns())
    has_null_constant_ = has_null_constant_ || column.has_nulls;
}

void ForeignArguments::NeedPlaces() {
  if (has_places_) return;
  has_places_ = true;
  places_.resize(row_count_);
  std::iota(places_.begin(), places_.end(), 0);
}

// Adds rows to those that the function gets.
size_t ForeignArguments::Give(DataChunk& rows) {
  if (rows.size() == 0) return 0;
  size_t bytes = StringBytes(rows);
  for (const LogicalType& type : column_types_) bytes += rows.size() * PhysicalSize(type);
  given_.Append(rows);
  return bytes;
}

// Removes the rows that have a NULL.
void ForeignArguments::OmitNulls(DataChunk& rows) {
  const size_t count = rows.size();
  bool has_nulls = has_null_constant_;
  std::vector<uint8_t> is_null(count, has_null_constant_ ? 1 : 0);
  for (Vector& column : rows.columns()) {
    const UnifiedView view = column.View(count);
    const bool is_unknown_type = column.type().id() == TypeId::kNull;
    if (view.validity == nullptr && !is_unknown_type) continue;
    for (size_t row = 0; row < count; row++) {
      is_null[row] |= static_cast<uint8_t>(is_unknown_type || !view.IsValid(row));
      has_nulls = has_nulls || is_null[row] != 0;
    }
  }
  if (!has_nulls && !has_places_) return;
  NeedPlaces();
  auto next = static_cast<uint32_t>(given_.row_count());
  auto selection = std::make_shared<SelectionVector>();
  size_t kept = 0;
  for (size_t row = 0; row < count; row++) {
    places_.push_back(is_null[row] != 0 ? kOmittedPlace : next);
    if (is_null[row] != 0) continue;
    selection->rows[kept++] = static_cast<sel_t>(row);
    next++;
  }
  if (kept != count) rows.Slice(selection, kept);
}

bool ForeignArguments::HasUsefulEntries(const Vector& column) const {
  if (column.kind() != VectorKind::kDictionary) return false;
  const Dictionary& dictionary = column.dictionary();
  // There is an owner to keep, so that no other dictionary comes to the same address.
  return dictionary.is_distinct && dictionary.owner && dictionary.size <= kMostEntries &&
         dictionary.size <= function_.most_rows();
}

// Removes the rows whose entry of the dictionary was there before, or is NULL and gives NULL.
void ForeignArguments::KeepNewEntries(DataChunk& rows) {
  const Vector& column = rows.column(0);
  const Dictionary& dictionary = column.dictionary();
  const SelectionRef codes = column.selection();
  if (dictionary_.data != dictionary.data || dictionary_.owner != dictionary.owner ||
      dictionary_.size != dictionary.size) {
    dictionary_ = dictionary;
    places_of_entries_.assign(dictionary.size, kUnknownPlace);
  }
  NeedPlaces();
  has_entries_ = true;
  const bool omits_nulls = function_.omits_nulls();
  auto next = static_cast<uint32_t>(given_.row_count());
  auto selection = std::make_shared<SelectionVector>();
  size_t kept = 0;
  for (size_t row = 0; row < rows.size(); row++) {
    const sel_t entry = codes->rows[row];
    uint32_t& place = places_of_entries_[entry];
    if (place == kUnknownPlace) {
      const bool is_null = dictionary.validity != nullptr && !TestValid(dictionary.validity, entry);
      place = omits_nulls && (is_null || has_null_constant_) ? kOmittedPlace : next;
      if (place != kOmittedPlace) {
        selection->rows[kept++] = static_cast<sel_t>(row);
        next++;
      }
    }
    places_.push_back(place);
  }
  rows.Slice(selection, kept);
}

size_t ForeignArguments::Append(std::span<Vector> arguments, size_t count) {
  if (count == 0) return 0;
  TakeConstants(arguments, count);
  DataChunk rows(column_types_);
  for (size_t i = 0; i < columns_.size(); i++) rows.column(i).Reference(arguments[columns_[i]]);
  rows.SetSize(count);
  if (columns_.size() == 1 && function_.takes_entries() && HasUsefulEntries(rows.column(0))) {
    KeepNewEntries(rows);
  } else if (function_.omits_nulls()) {
    OmitNulls(rows);
  } else if (has_places_) {
    places_.resize(row_count_ + count);
    std::iota(places_.begin() + static_cast<ptrdiff_t>(row_count_), places_.end(),
              static_cast<uint32_t>(given_.row_count()));
  }
  row_count_ += count;
  return Give(rows);
}

void ForeignArguments::Call(const FunctionContext& context) {
  if (given_.row_count() == 0) return;
  results_ = function_.Call(context, {MoveRows(given_), MoveRows(given_constants_), is_constant_});
}

void ForeignArguments::Read(size_t begin, size_t count, Vector& output) {
  SCAUP_ASSERT(results_ || given_.row_count() == 0);
  if (!has_places_) return results_->Read(begin, count, output);
  if (!has_entries_ || !results_) return ReadOmitting(begin, count, output);
  if (!entry_results_) {
    entry_results_ = std::make_unique<EntryResults>(*results_, output.type(), given_.row_count(), memory_);
  }
  entry_results_->Read(places_.data() + begin, count, 2 * given_.row_count() <= row_count_, output);
}

// Reads results that are in the order of the rows, of which some have none.
void ForeignArguments::ReadOmitting(size_t begin, size_t count, Vector& output) const {
  size_t first = 0, given = 0;
  for (size_t row = begin; row < begin + count; row++) {
    if (places_[row] != kOmittedPlace && given++ == 0) first = places_[row];
  }
  if (given == count) return results_->Read(first, count, output);
  output.Reset();
  if (given == 0) return output.SetConstantNull();
  Vector dense(output.type());
  dense.AccountStrings(output.string_memory());
  results_->Read(first, given, dense);
  const UnifiedView view = dense.View(given);
  for (size_t row = 0, next = 0; row < count; row++) {
    if (places_[begin + row] == kOmittedPlace) {
      output.SetNull(row);
    } else {
      CopyRow(view, next++, output, row);
    }
  }
}

}  // namespace scaup
