// Makes writers of files with the columns that are left.
#include "execution/write/copy_files.hpp"

#include "common/check.hpp"

namespace scaup {

void FolderWriter::Append(DataChunk& chunk) {
  if (writer_ == nullptr) writer_ = files_.MakeWriter(folder_, next_number_);
  const std::vector<size_t>& columns = files_.columns();
  if (columns.size() == chunk.column_count()) {
    writer_->Append(chunk);
  } else {
    written_.columns().clear();
    for (const size_t column : columns)
      written_.columns().emplace_back(chunk.column(column).type()).Reference(chunk.column(column));
    written_.SetSize(chunk.size());
    writer_->Append(written_);
  }
  const uint64_t most_bytes = files_.options().file_bytes;
  if (most_bytes != 0 && writer_->size_bytes() >= most_bytes) Finish();
}

void FolderWriter::Finish() {
  if (writer_ != nullptr) writer_->Finish();
  writer_.reset();
}

CopyFiles::CopyFiles(const FunctionContext& context, const CopyTarget& target,
                     const std::vector<std::string>& names, const std::vector<LogicalType>& types)
    : context_(context),
      target_(target),
      columns_(WrittenColumns(target.directory, names.size())),
      directory_(context.files, target.path, target.directory->existing) {
  SCAUP_CHECK(target.directory.has_value());
  for (const size_t column : columns_) {
    names_.push_back(names[column]);
    types_.push_back(types[column]);
  }
}

std::unique_ptr<CopyWriter> CopyFiles::MakeWriter(const std::string& folder, uint64_t& number) {
  has_files_ = true;
  const std::string path = directory_.AddFile(folder, options().file_pattern, number);
  return MakeCopyWriter(context_, target_, {path, true}, names_, types_);
}

void CopyFiles::MakeOneAtLeast() {
  uint64_t number = 0;
  if (!has_files_) MakeWriter("", number)->Finish();
}

}  // namespace scaup
