// Scans Arrow arrays as the source of a plan.
#include "format/arrow/arrow_scan.hpp"

namespace scaup {

namespace {

struct BoundArrowScan final : BoundTableFunction {
  std::shared_ptr<ArrowTable> table;
};

class ArrowScanShared final : public TableFunctionShared {
 public:
  explicit ArrowScanShared(std::unique_ptr<ArrowScan> scan_in) : scan(std::move(scan_in)) {}
  const std::unique_ptr<ArrowScan> scan;
};

class ArrowScanLocal final : public TableFunctionLocal {
 public:
  ArrowScan::Turn turn;
};

}  // namespace

TableFunction ArrowScanFunction() {
  TableFunction function;
  function.name = "arrow_scan";
  function.takes_filters = true;
  function.create_shared = [](const TableFunctionCall& call) -> std::unique_ptr<TableFunctionShared> {
    return std::make_unique<ArrowScanShared>(
        static_cast<const BoundArrowScan&>(call.bound).table->Open(call.columns, call.filters));
  };
  function.create_local = [](const TableFunctionCall&,
                             TableFunctionShared&) -> std::unique_ptr<TableFunctionLocal> {
    return std::make_unique<ArrowScanLocal>();
  };
  function.next = [](const TableFunctionCall&, TableFunctionShared& shared, TableFunctionLocal& local,
                     DataChunk& output) {
    static_cast<ArrowScanShared&>(shared).scan->Next(static_cast<ArrowScanLocal&>(local).turn, output);
  };
  return function;
}

std::shared_ptr<const BoundTableFunction> BindArrowScan(std::shared_ptr<ArrowTable> table) {
  auto bound = std::make_shared<BoundArrowScan>();
  bound->column_names = table->column_names();
  bound->column_types = table->column_types();
  bound->table = std::move(table);
  return bound;
}

}  // namespace scaup
