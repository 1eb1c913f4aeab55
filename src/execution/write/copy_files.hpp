// CopyFiles: the files that COPY TO writes into a directory.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "format/copy_target.hpp"
#include "format/files/new_directory.hpp"

namespace scaup {

class CopyFiles;

/// The files of one folder, one after the other: the next one begins when one is as long as the options say.
/// If destroyed before Finish, the file that is being written is removed. One thread at a time.
class FolderWriter {
 public:
  FolderWriter(CopyFiles& files, std::string folder) : files_(files), folder_(std::move(folder)) {}
  /// `chunk` has all columns of the rows.
  void Append(DataChunk& chunk);
  void Finish();
  size_t buffered_bytes() const { return writer_ ? writer_->buffered_bytes() : 0; }
  void Flush() {
    if (writer_) writer_->Flush();
  }

 private:
  CopyFiles& files_;
  const std::string folder_;
  std::unique_ptr<CopyWriter> writer_;
  uint64_t next_number_ = 0;
  DataChunk written_;  // without the columns of partitions
};

/// Makes the files of a directory. Any number of threads may make files.
class CopyFiles {
 public:
  /// Borrows all but `target`. REQUIRES: the target is a directory.
  CopyFiles(const FunctionContext& context, const CopyTarget& target, const std::vector<std::string>& names,
            const std::vector<LogicalType>& types);

  const CopyDirectory& options() const { return *target_.directory; }
  /// The columns that are written.
  const std::vector<size_t>& columns() const { return columns_; }
  /// Begins a file. `number` is the next one of its name.
  std::unique_ptr<CopyWriter> MakeWriter(const std::string& folder, uint64_t& number);
  /// Writes a file without rows if there is no other, so that readers find the columns.
  void MakeOneAtLeast();
  void Commit() { directory_.Commit(); }

 private:
  const FunctionContext& context_;
  const CopyTarget& target_;
  const std::vector<size_t> columns_;
  std::vector<std::string> names_;
  std::vector<LogicalType> types_;
  NewDirectory directory_;
  std::atomic<bool> has_files_{false};
};

}  // namespace scaup
