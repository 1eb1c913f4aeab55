// COPY TO: one file, files of threads, or files of partitions.
#include "execution/write/copy_operator.hpp"

#include "common/stack_bound.hpp"
#include "execution/write/copy_files.hpp"
#include "execution/write/partitioned_copy.hpp"

namespace scaup {

namespace {

/// Gives the rows of a task to a writer of any kind, and counts them.
template <typename Writer>
class CopySink final : public ChunkSink {
 public:
  CopySink(QueryContext& context, Writer& writer) : context_(context), writer_(writer) {}
  void Consume(DataChunk& chunk) override {
    writer_.Append(chunk);
    context_.rows_changed.fetch_add(chunk.size());
  }

 private:
  QueryContext& context_;
  Writer& writer_;
};

/// Writes the rows of a task to files of its own.
class TaskFilesSink final : public ChunkSink {
 public:
  TaskFilesSink(QueryContext& context, CopyFiles& files) : context_(context), writer_(files, "") {}
  void Consume(DataChunk& chunk) override {
    writer_.Append(chunk);
    context_.rows_changed.fetch_add(chunk.size());
  }
  void Finish() override { writer_.Finish(); }

 private:
  QueryContext& context_;
  FolderWriter writer_;
};

}  // namespace

CopyToOperator::CopyToOperator(CopyTarget target, std::vector<std::string> column_names,
                               PhysicalOperatorPtr child)
    : PhysicalOperator("CopyTo", {}), target_(std::move(target)), column_names_(std::move(column_names)) {
  children.push_back(std::move(child));
}

void CopyToOperator::Prepare(QueryContext& context, SharedState& shared) const {
  CheckStack();
  children[0]->Prepare(context, *shared.children[0]);
  if (!target_.directory) {
    WriteFile(context, shared);
  } else if (target_.directory->partition_columns.empty()) {
    WriteDirectory(context, shared);
  } else {
    WritePartitions(context, shared);
  }
}

void CopyToOperator::WriteFile(QueryContext& context, SharedState& shared) const {
  const auto writer =
      MakeCopyWriter(context.functions, target_, target_.path, column_names_, children[0]->types());
  // A single task preserves the order of the rows without buffering them.
  DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) { return std::make_unique<CopySink<CopyWriter>>(context, *writer); }, 1);
  writer->Finish();
}

void CopyToOperator::WriteDirectory(QueryContext& context, SharedState& shared) const {
  CopyFiles files(context.functions, target_, column_names_, children[0]->types());
  DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) { return std::make_unique<TaskFilesSink>(context, files); },
      target_.directory->is_per_thread ? SIZE_MAX : 1);
  files.MakeOneAtLeast();
  files.Commit();
}

void CopyToOperator::WritePartitions(QueryContext& context, SharedState& shared) const {
  CopyFiles files(context.functions, target_, column_names_, children[0]->types());
  PartitionedCopy copy(context, files, column_names_, children[0]->types());
  DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) { return std::make_unique<CopySink<PartitionedCopy>>(context, copy); }, 1);
  copy.Finish();
  files.Commit();
}

}  // namespace scaup
