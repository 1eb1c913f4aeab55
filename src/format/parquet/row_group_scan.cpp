// Prunes a row group, tests rows column by column, and reads the remaining columns for rows that pass.
#include "format/parquet/row_group_scan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/throw.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/parquet_statistics.hpp"
#include "vector/filter/in_list.hpp"
#include "vector/filter/scan_filter_kernels.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

namespace {

/// A page index of more bytes than this is not read: it would cost more than it saves.
constexpr int32_t kMostIndexBytes = 16 << 20;

template <typename T>
void CompactTyped(const std::byte* data, const sel_t* rows, size_t count, std::byte* target) {
  const T* from = reinterpret_cast<const T*>(data);
  T* to = reinterpret_cast<T*>(target);
  for (size_t i = 0; i < count; i++) to[i] = from[rows[i]];
}

/// Headers of pages are looked for in this many bytes, which may go beyond the last page.
constexpr uint64_t kHeaderBytes = 1024;

void AddRange(std::vector<FileRange>& ranges, int64_t begin, int64_t size_bytes) {
  if (begin > 0 && size_bytes > 0)
    ranges.push_back({static_cast<uint64_t>(begin), static_cast<uint64_t>(size_bytes)});
}

struct Sixteen {
  uint64_t words[2];
};

}  // namespace

RowGroupScan::RowGroupScan(const FunctionContext& context, const BoundParquet& bound, size_t file_index,
                           size_t group_index, ParquetRows part, int64_t first_row, const ParquetWish& wish,
                           ParquetTestTrial& trial, const ParquetReading& reading)
    : context_(context),
      file_(*bound.files[file_index]),
      sources_(bound.sources[file_index]),
      bound_(bound),
      group_(file_.metadata().row_groups[group_index]),
      wish_(wish),
      trial_(trial),
      reading_(reading),
      first_row_(first_row) {
  for (const ScanFilter& filter : wish.filters) Need(filter.column).filters.push_back(&filter);
  for (const auto& [column, test] : wish.tests) Need(column).tests.push_back(&test);
  for (const auto& column : columns_) filter_columns_.push_back(column.get());
  // Columns with filters first: those cost less than tests, which are worth it where few rows are left.
  std::ranges::stable_partition(filter_columns_,
                                [](const Column* column) { return !column->filters.empty(); });
  for (const size_t column : wish.columns) outputs_.push_back(&Need(column));
  ranges_.push_back(part);
}

void RowGroupScan::SetRowFilter(ParquetRowFilter& filter) {
  row_filter_ = &filter;
  for (const size_t column : filter.filter->columns()) row_filter_columns_.push_back(&Need(column));
}

RowGroupScan::Column& RowGroupScan::Need(size_t index) {
  const auto known = std::ranges::find(columns_, index, [](const auto& column) { return column->index; });
  if (known != columns_.end()) return **known;
  Column& column = *columns_.emplace_back(std::make_unique<Column>());
  column.index = index;
  column.source = &sources_[index];
  if (column.source->source != FileColumn::Source::kStored) return column;
  const ParquetTree& tree = file_.tree();
  const ParquetNode& node = tree.columns[column.source->column];
  column.stored_type = node.type;
  if (node.kind == ParquetNode::Kind::kLeaf && tree.leaves[node.first_leaf].is_flat()) {
    column.leaf = &tree.leaves[node.first_leaf];
    column.chunk = &group_.columns[node.first_leaf];
  }
  if (!(node.type == bound_.column_types[index])) {
    column.cast = FindCast(node.type, bound_.column_types[index]);
    SCAUP_CHECK(column.cast.has_value());
  }
  return column;
}

void RowGroupScan::OpenReader(Column& column) {
  if (column.reader != nullptr || column.source->source != FileColumn::Source::kStored) return;
  const ParquetTree& tree = file_.tree();
  column.reader = MakeColumnReader(reading_, tree, tree.columns[column.source->column], group_);
}

bool RowGroupScan::ConstantPasses(const Column& column) const {
  Vector value(column.source->constant);
  const LogicalType& type = bound_.column_types[column.index];
  if (!value.is_constant()) return true;
  const bool is_null = column.source->constant.is_null();
  const ValidityWord validity = is_null ? 0 : 1;
  alignas(16) std::byte zeros[16] = {};
  return std::ranges::all_of(column.filters, [&](const ScanFilter* filter) {
    uint8_t mask = 0;
    EvaluateScanFilter(context_.kernels, *filter, PhysicalTypeOf(type),
                       is_null ? zeros : value.Data<std::byte>(), &validity, 1, &mask);
    return mask != 0;
  });
}

bool RowGroupScan::BloomPasses(const Column& column) {
  std::unique_ptr<ParquetBloomFilter> bloom;
  for (const ScanFilter* filter : column.filters) {
    const InListTest* const list = filter->op == ScanFilter::Op::kTest ? InListTest::Of(*filter) : nullptr;
    if (filter->op != ScanFilter::Op::kEqual && list == nullptr) continue;
    if (bloom == nullptr) bloom = ParquetBloomFilter::Read(reading_.file, *column.chunk, reading_.memory);
    if (bloom == nullptr) return true;
    const auto may_have = [&](const Value& value) { return bloom->MayHave(*column.leaf, value); };
    if (list != nullptr ? std::ranges::none_of(list->values(), may_have) : !may_have(filter->constant))
      return false;
  }
  return true;
}

bool RowGroupScan::DictionaryPasses(Column& column) {
  if (!column.chunk->is_dictionary_only) return true;
  const bool wants_null = std::ranges::any_of(column.filters, [](const ScanFilter* filter) {
    return filter->op == ScanFilter::Op::kIsNull || filter->or_null;
  });
  if (wants_null) return true;
  OpenReader(column);
  const auto dictionary = column.reader->SoleDictionary();
  if (dictionary == nullptr || dictionary->size > static_cast<size_t>(group_.row_count)) return true;
  std::vector<uint8_t> passes(dictionary->size, 1), mask(dictionary->size);
  for (const ScanFilter* filter : column.filters) {
    EvaluateScanFilter(context_.kernels, *filter, PhysicalTypeOf(column.leaf->type),
                       dictionary->values.data(), nullptr, dictionary->size, mask.data());
    for (size_t i = 0; i < mask.size(); i++) passes[i] &= mask[i];
  }
  return std::ranges::any_of(passes, [](uint8_t passed) { return passed != 0; });
}

/// Tells the file that the page indexes of filter columns will be read.
void RowGroupScan::ExpectIndexes() {
  std::vector<FileRange> ranges;
  for (const Column* column : filter_columns_) {
    if (column->leaf == nullptr || column->cast || column->filters.empty()) continue;
    AddRange(ranges, column->chunk->column_index_offset, column->chunk->column_index_bytes);
    AddRange(ranges, column->chunk->offset_index_offset, column->chunk->offset_index_bytes);
  }
  reading_.file.Expect(ranges);
}

/// Tells the file which column chunks will be read as a whole: none if page indexes have left parts only
/// (`is_whole` is false), and those of filters alone where these may leave few rows.
void RowGroupScan::ExpectColumns(bool is_whole) {
  std::vector<FileRange> ranges;
  for (const auto& column : columns_) {
    if (!is_whole || column->source->source != FileColumn::Source::kStored) continue;
    if (!filter_columns_.empty() && std::ranges::find(filter_columns_, column.get()) == filter_columns_.end())
      continue;
    const ParquetNode& node = file_.tree().columns[column->source->column];
    for (size_t leaf = node.first_leaf; leaf < node.last_leaf; leaf++) {
      const ParquetColumnChunk& chunk = group_.columns[leaf];
      const bool has_dictionary = chunk.dictionary_offset > 0 && chunk.dictionary_offset < chunk.data_offset;
      AddRange(ranges, has_dictionary ? chunk.dictionary_offset : chunk.data_offset,
               chunk.compressed_bytes + static_cast<int64_t>(kHeaderBytes));
    }
  }
  reading_.file.Expect(ranges);
}

void RowGroupScan::NarrowByPageIndex(const Column& column, const ScanFilter& filter) {
  const ParquetColumnChunk& chunk = *column.chunk;
  const auto is_there = [&](int64_t offset, int32_t bytes) {
    return offset > 0 && bytes > 0 && bytes <= kMostIndexBytes;
  };
  if (!is_there(chunk.column_index_offset, chunk.column_index_bytes) ||
      !is_there(chunk.offset_index_offset, chunk.offset_index_bytes))
    return;
  const auto read = [&](int64_t offset, int32_t bytes) {
    return ReadParquetBytes(reading_.file, static_cast<uint64_t>(offset), static_cast<size_t>(bytes));
  };
  const auto index = ReadParquetColumnIndex(read(chunk.column_index_offset, chunk.column_index_bytes));
  const auto offsets = ReadParquetOffsetIndex(read(chunk.offset_index_offset, chunk.offset_index_bytes));
  const auto row_count = static_cast<size_t>(group_.row_count);
  const size_t pages = offsets.first_rows.size();
  if (index.is_null_page.size() != pages || pages <= 1 ||
      static_cast<size_t>(offsets.first_rows.back()) > row_count)
    return;
  const std::vector<bool> may_pass = PagesThatMayPass(*column.leaf, index, filter);
  std::vector<ParquetRows> left;
  for (size_t page = 0; page < pages; page++) {
    if (!may_pass[page]) continue;
    const auto begin = static_cast<size_t>(offsets.first_rows[page]);
    const size_t end = page + 1 < pages ? static_cast<size_t>(offsets.first_rows[page + 1]) : row_count;
    for (const ParquetRows& range : ranges_) {
      const ParquetRows common{std::max(begin, range.begin), std::min(end, range.end)};
      if (common.begin >= common.end) continue;
      if (!left.empty() && left.back().end == common.begin) {
        left.back().end = common.end;
      } else {
        left.push_back(common);
      }
    }
  }
  ranges_ = std::move(left);
}

bool RowGroupScan::MayHaveRows() {
  if (group_.row_count == 0) return false;
  for (const Column* column : filter_columns_) {
    if (column->source->source == FileColumn::Source::kConstant && !ConstantPasses(*column)) return false;
    if (column->leaf == nullptr || column->cast) continue;
    for (const ScanFilter* filter : column->filters) {
      if (!MayPass(*column->leaf, *column->chunk, group_.row_count, *filter)) return false;
    }
  }
  ExpectIndexes();
  const ParquetRows part = ranges_.at(0);
  for (Column* column : filter_columns_) {
    if (column->leaf == nullptr || column->cast || column->filters.empty()) continue;
    for (const ScanFilter* filter : column->filters) NarrowByPageIndex(*column, *filter);
    if (ranges_.empty() || !BloomPasses(*column) || !DictionaryPasses(*column)) return false;
  }
  ExpectColumns(ranges_.size() == 1 && ranges_[0].begin == part.begin && ranges_[0].end == part.end);
  return true;
}

Vector& RowGroupScan::ValuesOf(Column& column) {
  if (!column.values) {
    column.values.emplace(bound_.column_types[column.index]);
    column.values->AccountStrings(&context_.memory);
  }
  return *column.values;
}

void RowGroupScan::ReadColumn(Column& column, size_t count, bool as_codes, Vector& output) {
  switch (column.source->source) {
    case FileColumn::Source::kConstant: return output.ReferenceValue(column.source->constant);
    case FileColumn::Source::kRowNumber:
      return output.MakeSequence(first_row_ + static_cast<int64_t>(row_), 1);
    case FileColumn::Source::kStored: break;
  }
  OpenReader(column);
  if (column.lag != 0) column.reader->Skip(std::exchange(column.lag, 0));
  if (!column.cast) return column.reader->Read(count, as_codes, output);
  if (!column.stored) {
    column.stored.emplace(column.stored_type);
    column.stored->AccountStrings(&context_.memory);
  }
  column.stored->Release();
  column.reader->Read(count, false, *column.stored);
  output.Reset();
  column.cast->kernel({context_, column.stored_type, bound_.column_types[column.index]}, *column.stored,
                      count, output);
}

/// Evaluates filters once for each entry of a dictionary.
void RowGroupScan::MaskByDictionary(Column& column, size_t count) {
  const Dictionary& dictionary = column.values->dictionary();
  if (column.tested_dictionary != dictionary.data || column.tested_size != dictionary.size) {
    column.passes.assign(dictionary.size, 1);
    std::vector<uint8_t> mask(dictionary.size);
    for (const ScanFilter* filter : column.filters) {
      EvaluateScanFilter(context_.kernels, *filter, column.values->physical_type(), dictionary.data,
                         dictionary.validity, dictionary.size, mask.data());
      for (size_t i = 0; i < mask.size(); i++) column.passes[i] &= mask[i];
    }
    column.tested_dictionary = dictionary.data;
    column.tested_size = dictionary.size;
  }
  const sel_t* const codes = column.values->selection()->rows;
  const uint8_t* const passes = column.passes.data();
  for (size_t i = 0; i < count; i++) mask_[i] &= passes[codes[i]];
}

/// Clears the rows of the mask that fail the filters and tests of a column.
void RowGroupScan::Mask(Column& column, size_t count) {
  Vector& values = *column.values;
  if (!column.filters.empty() && values.kind() == VectorKind::kDictionary &&
      values.dictionary().is_distinct) {
    MaskByDictionary(column, count);
  } else if (!column.filters.empty()) {
    values.Flatten(count);
    uint8_t mask[kVectorSize];
    for (const ScanFilter* filter : column.filters) {
      EvaluateScanFilter(context_.kernels, *filter, values.physical_type(), values.Data<std::byte>(),
                         values.Validity(), count, mask);
      context_.kernels.mask_and(mask_, mask, count);
    }
  }
  for (const RowTest* test : column.tests) {
    if (!trial_.PaysOff(4)) return;
    sel_t rows[kVectorSize];
    const size_t passed = (*test)(values.View(count), count, rows);
    uint8_t mask[kVectorSize] = {};
    for (size_t i = 0; i < passed; i++) mask[rows[i]] = 1;
    context_.kernels.mask_and(mask_, mask, count);
    trial_.Add(count, passed);
  }
}

/// Reads the filter columns of the next rows, and selects the rows that pass. Returns false if none does.
bool RowGroupScan::ChooseRows(size_t count) {
  selection_ = nullptr;
  selected_ = count;
  const bool has_row_filter = row_filter_ != nullptr && row_filter_->trial.PaysOff(2);
  if (filter_columns_.empty() && !has_row_filter) return true;
  std::memset(mask_, 1, count);
  SelectionRef selection = std::make_shared<SelectionVector>();
  for (Column* column : filter_columns_) {
    if (column->source->source == FileColumn::Source::kConstant) continue;  // decided by MayHaveRows
    // A test that no longer pays off needs no column.
    const bool is_given_up = column->filters.empty() && !trial_.PaysOff(4);
    if (selected_ == 0 || is_given_up) continue;
    Vector& values = ValuesOf(*column);
    values.Release();
    ReadColumn(*column, count, !column->filters.empty(), values);
    column->lag = SIZE_MAX;  // has been read
    Mask(*column, count);
    selected_ = context_.kernels.select(mask_, count, selection->rows);
  }
  if (has_row_filter && selected_ != 0) ApplyRowFilter(count, selection);
  if (selected_ != count) selection_ = std::move(selection);
  return selected_ != 0;
}

/// Narrows the rows that are selected so far to those that pass the row filter.
void RowGroupScan::ApplyRowFilter(size_t count, SelectionRef& selection) {
  DataChunk& rows = row_filter_->rows;
  rows.Release();
  for (size_t i = 0; i < row_filter_columns_.size(); i++) {
    Column& column = *row_filter_columns_[i];
    Vector& values = ValuesOf(column);
    if (column.lag != SIZE_MAX) {
      values.Release();
      ReadColumn(column, count, true, values);
      column.lag = SIZE_MAX;
    }
    if (selected_ == count) {
      rows.column(i).Reference(values);
    } else {
      rows.column(i).Slice(values, count, selection, selected_);
    }
  }
  rows.SetSize(selected_);
  auto passing = std::make_shared<SelectionVector>();
  const size_t passed = row_filter_->filter->Select(rows, *passing);
  row_filter_->trial.Add(selected_, passed);
  if (selected_ != count) {
    for (size_t i = 0; i < passed; i++) passing->rows[i] = selection->rows[passing->rows[i]];
  }
  selection = std::move(passing);
  selected_ = passed;
}

/// Copies the selected rows of numbers to a flat vector.
void RowGroupScan::CompactFixed(const Vector& values, Vector& output) {
  const bool is_flat = values.is_flat();
  const std::byte* const data = is_flat ? values.Data<std::byte>() : values.dictionary().data;
  const ValidityWord* const validity = is_flat ? values.Validity() : values.dictionary().validity;
  sel_t codes[kVectorSize];
  const sel_t* rows = selection_ == nullptr ? IdentitySelection() : selection_->rows;
  if (!is_flat) {
    const sel_t* const all = values.selection()->rows;
    for (size_t i = 0; i < selected_; i++) codes[i] = all[rows[i]];
    rows = codes;
  }
  output.Reset();
  auto* const target = output.MutableData<std::byte>();
  switch (PhysicalSize(values.type())) {
    case 1: CompactTyped<uint8_t>(data, rows, selected_, target); break;
    case 2: CompactTyped<uint16_t>(data, rows, selected_, target); break;
    case 4: CompactTyped<uint32_t>(data, rows, selected_, target); break;
    case 8: CompactTyped<uint64_t>(data, rows, selected_, target); break;
    default: CompactTyped<Sixteen>(data, rows, selected_, target); break;
  }
  if (validity == nullptr) return;
  for (size_t i = 0; i < selected_; i++) {
    if (!TestValid(validity, rows[i])) output.SetNull(i);
  }
}

/// Makes `output` the selected rows: of strings without copying, of numbers as a flat vector.
void RowGroupScan::Compact(const Vector& values, size_t count, Vector& output) {
  const bool has_rows = values.is_flat() || values.kind() == VectorKind::kDictionary;
  if (has_rows && !IsStringLike(values.type()) && (selection_ != nullptr || !values.is_flat()))
    return CompactFixed(values, output);
  if (selection_ == nullptr) return output.Reference(values);
  output.Slice(values, count, selection_, selected_);
}

void RowGroupScan::Emit(size_t count, DataChunk& output) {
  for (size_t i = 0; i < outputs_.size(); i++) {
    Column& column = *outputs_[i];
    Vector& target = output.column(i);
    const auto earlier = std::find(outputs_.begin(), outputs_.begin() + static_cast<ptrdiff_t>(i), &column);
    if (earlier != outputs_.begin() + static_cast<ptrdiff_t>(i)) {
      target.Reference(output.column(static_cast<size_t>(earlier - outputs_.begin())));
      continue;
    }
    const bool is_read = column.lag == SIZE_MAX;
    if (!is_read && selection_ == nullptr) {
      ReadColumn(column, count, false, target);
      column.lag = SIZE_MAX;
      continue;
    }
    Vector& values = ValuesOf(column);
    if (!is_read) {
      values.Release();
      ReadColumn(column, count, true, values);
      column.lag = SIZE_MAX;
    }
    Compact(values, count, target);
  }
  output.SetSize(selected_);
}

bool RowGroupScan::Next(DataChunk& output) {
  while (range_ < ranges_.size()) {
    const ParquetRows& range = ranges_[range_];
    const size_t passed = range.begin > row_ ? range.begin - row_ : 0;
    if (passed != 0) {
      for (const auto& column : columns_) column->lag += passed;
      row_ = range.begin;
    }
    if (row_ == range.end) {
      range_++;
      continue;
    }
    context_.CheckInterrupt();
    const size_t count = std::min(kVectorSize, range.end - row_);
    const bool any = ChooseRows(count);
    if (any) Emit(count, output);
    for (const auto& column : columns_) column->lag = column->lag == SIZE_MAX ? 0 : column->lag + count;
    row_ += count;
    if (any) return true;
  }
  return false;
}

}  // namespace scaup
