// Cursors: the rows of DECLARE's queries, and where FETCH stands in them. cursor_execution.cpp works on them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "execution/rows/shared_rows.hpp"
#include "scaup/result.hpp"

namespace scaup {

/// One open cursor. Its rows are those that the query gave when it was declared, so that what happens later
/// cannot change them.
struct Cursor {
  std::string text;  ///< of the DECLARE statement
  bool no_scroll = false;
  bool with_hold = false;
  bool is_binary = false;
  int64_t declared_micros = 0;  ///< since 1970-01-01 UTC
  std::vector<ResultColumn> columns;
  std::shared_ptr<const MaterializedRows> rows;
  /// The row that FETCH returned last, from 1; 0 before the first, the number of rows and 1 after the last.
  uint64_t position = 0;
  uint64_t serial = 0;           ///< in the order of declaration
  bool is_transactional = true;  ///< declared in the block that is open
};

/// The cursors of one session by name. Owned by the session and guarded by its mutex.
class Cursors {
 public:
  /// Returns the cursor, which is valid until it is closed; null if there is none.
  Cursor* Find(const std::string& name) {
    const auto found = cursors_.find(name);
    return found == cursors_.end() ? nullptr : &found->second;
  }
  /// REQUIRES: the name is free.
  void Add(const std::string& name, Cursor cursor) {
    SCAUP_ASSERT(!cursors_.contains(name));
    cursor.serial = next_serial_++;
    cursors_.emplace(name, std::move(cursor));
  }
  void Close(const std::string& name) { cursors_.erase(name); }
  void CloseAll() { cursors_.clear(); }
  const std::map<std::string, Cursor>& all() const { return cursors_; }

  /// Returns a mark for RollBack to the present moment.
  uint64_t mark() const { return next_serial_; }
  /// Ends the block: what is not WITH HOLD is closed.
  void Commit() noexcept {
    std::erase_if(cursors_,
                  [](const auto& entry) { return entry.second.is_transactional && !entry.second.with_hold; });
    for (auto& [name, cursor] : cursors_) cursor.is_transactional = false;
  }
  /// Closes those that the block has declared since the mark; 0 for all of them. Positions stay.
  void RollBack(uint64_t mark) noexcept {
    std::erase_if(cursors_, [mark](const auto& entry) {
      return entry.second.is_transactional && entry.second.serial >= mark;
    });
  }

 private:
  std::map<std::string, Cursor> cursors_;
  uint64_t next_serial_ = 1;
};

}  // namespace scaup
