// Share operators: materializing and scanning rows that several parts of a plan read.
#include "execution/stream/share_operators.hpp"

#include <functional>
#include <optional>

#include "common/stack_bound.hpp"
#include "execution/rows/shared_rows.hpp"
#include "execution/run/turns.hpp"

namespace scaup {

namespace {

class MaterializeShared final : public SharedState {
 public:
  // The children's states refer to the rows, so they are destroyed first.
  ~MaterializeShared() override { children.clear(); }
  std::optional<SharedRows> rows;
};

class StatementShared final : public SharedState {
 public:
  KeptRowsReader reader;
  size_t next_piece = 0;
};

/// Collects the writes that operators put off. When it ends, also by an exception, none are put off any more.
class WritesPutOff {
 public:
  explicit WritesPutOff(QueryContext& context) : context_(context) { context_.writes_put_off = &writes_; }
  ~WritesPutOff() { context_.writes_put_off = nullptr; }
  WritesPutOff(const WritesPutOff&) = delete;
  WritesPutOff& operator=(const WritesPutOff&) = delete;

  const std::vector<std::function<void()>>& all() const { return writes_; }

 private:
  QueryContext& context_;
  std::vector<std::function<void()>> writes_;
};

class SharedScanShared final : public SharedState {
 public:
  explicit SharedScanShared(SharedRows& source_in) : source(source_in) {}
  SharedRows& source;
  std::shared_ptr<const MaterializedRows> rows;
  TurnCounter turns;  // Counts pieces.
};

class SharedScanLocal final : public LocalState {
 public:
  explicit SharedScanLocal(std::shared_ptr<const MaterializedRows> rows) : reader(std::move(rows)) {}
  KeptRowsReader reader;
  Turn turn;
};

}  // namespace

MaterializeOperator::MaterializeOperator(size_t share, PhysicalOperatorPtr definition,
                                         PhysicalOperatorPtr reader, bool is_change)
    : PhysicalOperator("Materialize", reader->types()), share_(share), is_change_(is_change) {
  children.push_back(std::move(definition));
  children.push_back(std::move(reader));
}

std::unique_ptr<SharedState> MaterializeOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<MaterializeShared>();
  shared->children.push_back(children[0]->MakeShared(context));
  SharedState& definition = *shared->children[0];
  OperatorProfile& profile = shared->profile;
  shared->rows.emplace([this, &context, &definition, &profile] {
    children[0]->Prepare(context, definition);
    return MaterializedRows::Collect(context, *children[0], definition, profile);
    // Set before the second child's states are made, as these look it up.
  });
  context.shared_rows.Set(share_, &*shared->rows);
  shared->children.push_back(children[1]->MakeShared(context));
  return shared;
}

void MaterializeOperator::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                             const RuntimeFilter& range) const {
  CheckStack();
  children[1]->ApplyRuntimeFilter(*shared.children[1], column, range);
}

void MaterializeOperator::Prepare(QueryContext& context, SharedState& shared) const {
  CheckStack();
  if (is_change_) static_cast<MaterializeShared&>(shared).rows->Rows();
  children[1]->Prepare(context, *shared.children[1]);
}

std::unique_ptr<LocalState> MaterializeOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<LocalState>();
  local->children.push_back(nullptr);
  local->children.push_back(children[1]->MakeLocal(context, *shared.children[1]));
  return local;
}

size_t MaterializeOperator::MaxTasks(QueryContext& context, SharedState& shared) const {
  CheckStack();
  return children[1]->MaxTasks(context, *shared.children[1]);
}

std::vector<uint64_t> MaterializeOperator::BatchOffsets(QueryContext& context, SharedState& shared) const {
  CheckStack();
  return children[1]->BatchOffsets(context, *shared.children[1]);
}

void MaterializeOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local,
                                  DataChunk& output) const {
  children[1]->Next(context, *shared.children[1], *local.children[1], output);
}

StatementOperator::StatementOperator(PhysicalOperatorPtr child)
    : PhysicalOperator("Statement", child->types()) {
  for (size_t i = 0; i < types().size(); i++) columns_.push_back(i);
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> StatementOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<StatementShared>();
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void StatementOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<StatementShared&>(shared_state);
  const auto run = [&] {
    children[0]->Prepare(context, *shared.children[0]);
    shared.reader =
        KeptRowsReader(MaterializedRows::Collect(context, *children[0], *shared.children[0], shared.profile));
  };
  if (context.writes_put_off != nullptr) return run();  // The outer statement writes for all of its parts.
  const WritesPutOff writes(context);
  run();
  for (const auto& write : writes.all()) write();
}

void StatementOperator::Produce(QueryContext&, SharedState& shared_state, LocalState&,
                                DataChunk& output) const {
  auto& shared = static_cast<StatementShared&>(shared_state);
  if (shared.next_piece == shared.reader.rows().piece_count()) return shared.reader.Release();
  output.batch_index = shared.next_piece;
  shared.reader.Read(shared.next_piece++, columns_, output);
}

SharedScanOperator::SharedScanOperator(size_t share, std::vector<size_t> columns,
                                       std::vector<LogicalType> types)
    : PhysicalOperator("SharedScan", std::move(types)), share_(share), columns_(std::move(columns)) {}

std::unique_ptr<SharedState> SharedScanOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  return std::make_unique<SharedScanShared>(*context.shared_rows.Find(share_));
}

void SharedScanOperator::Prepare(QueryContext&, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<SharedScanShared&>(shared_state);
  shared.rows = shared.source.Rows();
}

std::unique_ptr<LocalState> SharedScanOperator::MakeLocal(QueryContext&, SharedState& shared) const {
  CheckStack();
  return std::make_unique<SharedScanLocal>(static_cast<SharedScanShared&>(shared).rows);
}

size_t SharedScanOperator::MaxTasks(QueryContext&, SharedState& shared) const {
  CheckStack();
  constexpr size_t kPiecesPerTask = 8;
  return std::max<size_t>(1, static_cast<SharedScanShared&>(shared).rows->piece_count() / kPiecesPerTask);
}

std::vector<uint64_t> SharedScanOperator::BatchOffsets(QueryContext&, SharedState& shared) const {
  CheckStack();
  const MaterializedRows& rows = *static_cast<SharedScanShared&>(shared).rows;
  std::vector<uint64_t> offsets;
  for (size_t piece = 0; piece < rows.piece_count(); piece++) offsets.push_back(piece * kVectorSize);
  offsets.push_back(rows.row_count());
  return offsets;
}

void SharedScanOperator::Produce(QueryContext&, SharedState& shared_state, LocalState& local_state,
                                 DataChunk& output) const {
  auto& shared = static_cast<SharedScanShared&>(shared_state);
  auto& local = static_cast<SharedScanLocal&>(local_state);
  const size_t piece = shared.turns.Next(local.turn, shared.rows->piece_count());
  if (piece == shared.rows->piece_count()) return local.reader.Release();
  local.reader.Read(piece, columns_, output);
  output.batch_index = piece;
}

}  // namespace scaup
