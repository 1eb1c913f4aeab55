// Chooses the statements of a file during which memory seems to be short (--shortage).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace scaup::test {

/// Whether the text has a word of statements that change rows.
bool MayChangeRows(const std::string& sql);

/// Says for each statement how memory is short while it runs, and follows what that does to the file's
/// expectations. A statement that ended for lack of memory has changed nothing, so it can run again. In a
/// transaction block that is not so: the block is lost. Therefore memory is never short in the blocks of most
/// files; in the others, the first such end makes the rest of the file's results unknown.
class Shortage {
 public:
  /// `seed` 0: never.
  Shortage(uint64_t seed, const std::string& path);

  bool is_simulated() const { return seed_ != 0; }
  uint64_t seed() const { return seed_; }
  /// The value of force_memory_shortage while the next statement runs; 0 if it must not lack memory.
  uint64_t Next(const std::string& connection, const std::string& sql);
  /// A value for work that belongs to no statement: opening and closing.
  uint64_t Next();
  /// Notes that the statement has ended, `lacks_memory`: with 53200. Returns whether it can run again.
  bool NoteEnd(const std::string& connection, const std::string& sql, bool lacks_memory);
  /// Whether a block was lost, so that nobody knows what the statements since then give.
  bool is_unknown() const { return is_unknown_; }
  /// Forgets the open blocks: the connections are closed.
  void ForgetBlocks() { in_block_.clear(); }
  size_t lack_count() const { return lack_count_; }

 private:
  const uint64_t seed_;
  const uint64_t file_hash_;
  uint64_t statement_count_ = 0;
  size_t lack_count_ = 0;
  bool is_unknown_ = false;
  bool draws_values_ = false;       ///< a column takes values from a sequence
  std::set<std::string> in_block_;  ///< connections
};

}  // namespace scaup::test
