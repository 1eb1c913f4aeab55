// Write operators: INSERT and CREATE TABLE AS.
#include "execution/write/write_operators.hpp"

#include "catalog/catalog_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "execution/write/row_changes.hpp"
#include "execution/write/table_writer.hpp"

namespace scaup {

namespace {

/// Checks and inserts the rows of one task.
class InsertSink final : public ChunkSink {
 public:
  InsertSink(QueryContext& context, const std::vector<ColumnDefinition>& columns, TableWriter& writer,
             const WrittenRowRules& rules, ReturningShared& returning)
      : context_(context),
        columns_(columns),
        part_(writer.NewPart()),
        counts_rows_(rules.counts_rows),
        handler_(context, rules, returning) {}

  void Consume(DataChunk& chunk) override {
    for (size_t i = 0; i < columns_.size(); i++) CheckNotNull(columns_[i], chunk.column(i), chunk.size());
    handler_.Handle(chunk);
    part_.Append(chunk);
  }

  void Finish() override {
    part_.Finish();
    if (counts_rows_) context_.rows_changed.fetch_add(part_.row_count());
  }

 private:
  QueryContext& context_;
  const std::vector<ColumnDefinition>& columns_;
  TableWriter::Part& part_;
  const bool counts_rows_;
  WrittenRowHandler handler_;
};

}  // namespace

InsertOperator::InsertOperator(TableEntryRef table, PhysicalOperatorPtr child, WrittenRowRules rules)
    : PhysicalOperator("Insert", rules.ReturnedTypes()),
      rules_(std::move(rules)),
      table_(std::move(table)),
      columns_(table_->columns) {
  children.push_back(std::move(child));
}

InsertOperator::InsertOperator(std::string database, std::string schema, std::string table, bool or_replace,
                               CommitAction on_commit, std::vector<ColumnDefinition> columns,
                               PhysicalOperatorPtr child)
    : PhysicalOperator("CreateTableAs", {}),
      database_(std::move(database)),
      schema_(std::move(schema)),
      name_(std::move(table)),
      or_replace_(or_replace),
      on_commit_(on_commit),
      columns_(std::move(columns)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> InsertOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<ReturningShared>(context, types());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void InsertOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

TableEntryRef InsertOperator::Create(QueryContext& context) const {
  const QueryContext::Database database = context.DatabaseNamed(database_);
  auto storage = database.catalog.MakeTable(schema_, children[0]->types(), context.memory());
  auto created = std::make_shared<TableEntry>(schema_, name_, columns_, std::move(storage));
  created->on_commit = on_commit_;
  // The query goes on reading the old rows: its scans hold the storage.
  if (or_replace_) DropTableIfExists(database.catalog, database.transaction, schema_, name_);
  return CreateTable(database.catalog, database.transaction, std::move(created));
}

void InsertOperator::Prepare(QueryContext& context, SharedState& shared) const {
  CheckStack();
  if (table_) RequireWritable(context.transaction, *table_, "INSERT");
  if (table_) NoteTarget(context, table_, kOnInsert);
  if (!table_) RequireWritable(context.DatabaseNamed(database_).transaction, "CREATE TABLE AS");
  children[0]->Prepare(context, *shared.children[0]);
  TableEntryRef table = table_ ? table_ : Create(context);
  auto& returning = static_cast<ReturningShared&>(shared);
  const auto writer = std::make_shared<TableWriter>(context, std::move(table));
  // With RETURNING there is only one task, as ReturningShared is not thread-safe; and with triggers, which
  // get the rows in their order.
  const bool is_ordered =
      !types().empty() || rules_.is_in_order || (table_ && RowChanges::WantsRows(*table_, kOnInsert, {}));
  DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) { return std::make_unique<InsertSink>(context, columns_, *writer, rules_, returning); },
      is_ordered ? 1 : writer->MostParts());
  context.Write([&context, writer] { writer->Publish(context.transaction); });
}

}  // namespace scaup
