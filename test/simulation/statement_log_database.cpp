// A file of statements, each with its length and checksum.
#include "simulation/statement_log_database.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "scaup/connection.hpp"

namespace scaup::test {

namespace {

struct FrameHead {
  uint64_t size_bytes = 0;
  uint64_t checksum = 0;
};

// FNV-1a over the frame's place and text, so that a frame elsewhere is none.
uint64_t Checksum(uint64_t offset, const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325 ^ offset;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ (hash >> 29);
}

class StatementLogDatabase final : public TestedDatabase {
 public:
  StatementLogDatabase(SimulatedFileSystem& files, Flaw flaw) : files_(files.Share()), flaw_(flaw) {
    file_ = files_->Open(kDatabasePath, OpenMode::kReadWrite);
    if (!file_->TryLock({0, 1}, true)) ThrowError(ErrorKind::kIo, sqlstate::kIoError, "the file is locked");
    Replay();
  }

  QueryResult Execute(const std::string& sql) override {
    for (const char* none : {"CHECKPOINT", "VACUUM", "MATERIALIZE", "ANALYZE", "SET"}) {
      if (sql.starts_with(none)) return {};
    }
    if (sql.starts_with("SELECT")) return connection_.Query(sql);
    // Statements that fail for reasons of their own are not logged; only schemas are tried that way.
    if (sql.starts_with("CREATE SCHEMA")) {
      QueryResult result = connection_.Query(sql);
      try {
        Append(sql);
      } catch (...) {
        connection_.Query("DROP " + sql.substr(7));
        throw;
      }
      return result;
    }
    Append(sql);
    return Apply(sql);
  }

 private:
  QueryResult Apply(const std::string& sql) {
    try {
      return connection_.Query(sql);
    } catch (const Error&) {
      if (sql.starts_with("BEGIN")) connection_.Query("ROLLBACK");
      throw;
    }
  }

  // What broke a unique key when it was executed does so again.
  void ApplyAgain(const std::string& sql) {
    try {
      Apply(sql);
    } catch (const Error& error) {
      const std::string state = error.sqlstate();
      if (state != sqlstate::kUniqueViolation && state != sqlstate::kCardinalityViolation) throw;
    }
  }

  bool ReadFrame(const std::string& bytes, uint64_t offset, std::string& text) const {
    FrameHead head;
    if (offset + sizeof(head) > bytes.size()) return false;
    std::memcpy(&head, bytes.data() + offset, sizeof(head));
    if (head.size_bytes == 0 || head.size_bytes > bytes.size() - offset - sizeof(head)) return false;
    text = bytes.substr(offset + sizeof(head), head.size_bytes);
    return flaw_ == Flaw::kTrustsLog || head.checksum == Checksum(offset, text);
  }

  void Replay() {
    std::string bytes(file_->Size(), '\0'), text;
    file_->Read(0, bytes.data(), bytes.size());
    for (; ReadFrame(bytes, end_, text); end_ += sizeof(FrameHead) + text.size()) ApplyAgain(text);
    for (uint64_t later = end_ + 1; flaw_ != Flaw::kStopsAtDamage && later < bytes.size(); later++) {
      if (ReadFrame(bytes, later, text)) {
        ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
                   fmt::format("\"{}\" is damaged at {}", kDatabasePath, end_));
      }
    }
    if (flaw_ != Flaw::kForgetsToCut) CutTail();
  }

  // Nothing behind the last acknowledged statement stays, not even after a crash.
  void CutTail() {
    file_->Truncate(end_);
    file_->Sync();
    has_tail_ = false;
  }

  void Append(const std::string& sql) {
    if (has_tail_) CutTail();
    std::string frame(sizeof(FrameHead), '\0');
    const FrameHead head{sql.size(), Checksum(end_, sql)};
    std::memcpy(frame.data(), &head, sizeof(head));
    frame += sql;
    try {
      file_->Write(end_, frame.data(), frame.size());
      if (flaw_ != Flaw::kNeverSyncs) file_->Sync();
    } catch (const Error&) {
      if (flaw_ == Flaw::kAcknowledgesFailures) return;
      has_tail_ = flaw_ != Flaw::kForgetsToCut;
      if (has_tail_) CutTail();
      throw;
    }
    end_ += frame.size();
  }

  std::unique_ptr<FileSystem> files_;
  Flaw flaw_;
  std::unique_ptr<File> file_;
  Database memory_{":memory:", {{"threads", "1"}, {"unknown_keys", "null"}}};
  Connection connection_{memory_};
  uint64_t end_ = 0;
  bool has_tail_ = false;
};

}  // namespace

std::unique_ptr<TestedDatabase> OpenStatementLog(SimulatedFileSystem& files, Flaw flaw) {
  return std::make_unique<StatementLogDatabase>(files, flaw);
}

}  // namespace scaup::test
