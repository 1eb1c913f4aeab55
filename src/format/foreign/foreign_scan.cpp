// Hands out the rows of a cursor in their order.
#include "format/foreign/foreign_scan.hpp"

#include "function/shared_table_function.hpp"
#include "type/text/utf8_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

class ForeignScan final : public TableFunctionShared {
 public:
  explicit ForeignScan(const std::vector<ScanFilter>& filters) : filters_(filters) {}

  void AddFilter(const ScanFilter& filter) override {
    const MutexLock lock(mutex_);
    filters_.push_back(filter);
  }

  void Next(const TableFunctionCall& call, DataChunk& output) {
    const MutexLock lock(mutex_);
    output.SetSize(0);
    if (at_end_) return;
    call.context.CheckInterrupt();
    at_end_ = true;  // also if an error comes now: other threads would ask a cursor that has failed
    if (cursor_ == nullptr)
      cursor_ = static_cast<const BoundForeign&>(call.bound).Open(call.context, call.columns, filters_);
    for (size_t i = 0; i < call.columns.size(); i++) output.column(i).Reset();
    const size_t count = cursor_->Fetch(output);
    at_end_ = count < kVectorSize;
    if (at_end_) cursor_ = nullptr;
    output.SetSize(count);
    output.batch_index = next_batch_++;
  }

 private:
  Mutex mutex_;
  std::vector<ScanFilter> filters_ SCAUP_GUARDED_BY(mutex_);
  std::unique_ptr<ForeignCursor> cursor_ SCAUP_GUARDED_BY(mutex_);
  bool at_end_ SCAUP_GUARDED_BY(mutex_) = false;
  uint64_t next_batch_ SCAUP_GUARDED_BY(mutex_) = 0;
};

std::unique_ptr<TableFunctionShared> CreateForeignShared(const TableFunctionCall& call) {
  return std::make_unique<ForeignScan>(call.filters);
}

void NextForeign(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal&,
                 DataChunk& output) {
  static_cast<ForeignScan&>(shared).Next(call, output);
}

template <typename T, typename Parse>
bool WriteParsed(std::string_view text, Vector& output, size_t row, Parse parse) {
  return parse(text, output.MutableData<T>()[row]);
}

}  // namespace

TableFunction MakeForeignScan(const char* name, std::vector<LogicalType> argument_types,
                              const char* description, const char* example,
                              std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext&,
                                                                          const TableFunctionArguments&)) {
  TableFunction function = MakeSharedTableFunction({name, description, example}, std::move(argument_types),
                                                   bind, CreateForeignShared, NextForeign);
  function.takes_filters = true;
  return function;
}

bool WriteTextCell(std::string_view text, Vector& output, size_t row, const TimeZone& zone) {
  const auto integer = [](std::string_view from, auto& value) { return ParseInteger(from, value); };
  const LogicalType& type = output.type();
  if (type.id() == TypeId::kVarchar) {
    if (!IsText(text)) return false;
    output.MutableData<StringRef>()[row] = output.AddString(text);
    return true;
  }
  if (type.id() == TypeId::kSmallInt) return WriteParsed<int16_t>(text, output, row, integer);
  if (type.id() == TypeId::kInteger) return WriteParsed<int32_t>(text, output, row, integer);
  if (type.id() == TypeId::kBigInt) return WriteParsed<int64_t>(text, output, row, integer);
  if (type.id() == TypeId::kDouble) return WriteParsed<double>(text, output, row, ParseDouble);
  if (type.id() == TypeId::kDate) return WriteParsed<int32_t>(text, output, row, ParseDate);
  if (type.id() == TypeId::kTimestamp) return WriteParsed<int64_t>(text, output, row, ParseTimestamp);
  Value value;
  if (!ParseValue(text, type, value, &zone)) return false;
  output.SetValue(row, value);
  return true;
}

}  // namespace scaup
