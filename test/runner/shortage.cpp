// Follows transaction blocks, and derives a number for each statement from the seed.
#include "shortage.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "scaup/scaup.hpp"
#include "script.hpp"

namespace scaup::test {
namespace {

// One file of so many has shortages in transaction blocks, too.
constexpr uint64_t kFilesPerBlockFile = 4;

uint64_t HashPath(uint64_t seed, const std::string& path) {
  // Without what is before test/, so that a seed means the same in every folder.
  const size_t begin = path.rfind("test/sql/");
  const std::string name = begin == std::string::npos ? path : path.substr(begin);
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

std::vector<std::string> Split(const std::string& sql) {
  try {
    return SplitStatements(sql);
  } catch (const Error&) {
    return {sql};
  }
}

std::string ToLower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> LowerWords(const std::string& sql) {
  std::string text = ToLower(sql);
  for (size_t begin; (begin = text.find("/**/")) != std::string::npos;) text.replace(begin, 4, " ");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return SplitWords(text);
}

bool Has(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool Begins(const std::vector<std::string>& words) {
  return !words.empty() && (words[0] == "begin" || words[0] == "start");
}

bool Ends(const std::vector<std::string>& words) {
  if (words.empty() || Has(words, "to") || (Has(words, "chain") && !Has(words, "no"))) return false;
  return words[0] == "commit" || words[0] == "end" || words[0] == "rollback" || words[0] == "abort";
}

}  // namespace

bool MayChangeRows(const std::string& sql) {
  const std::string lower = ToLower(sql);
  constexpr const char* kWords[] = {"insert", "update", "delete", "merge", "copy", "execute"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](const char* word) { return lower.find(word) != std::string::npos; });
}

Shortage::Shortage(uint64_t seed, const std::string& path) : seed_(seed), file_hash_(HashPath(seed, path)) {}

uint64_t Shortage::Next() {
  if (seed_ == 0) return 0;
  const uint64_t number = statement_count_++;
  // A positive number of 63 bits, not 0.
  return std::max<uint64_t>(1, XXH3_64bits_withSeed(&number, sizeof(number), file_hash_) >> 1);
}

uint64_t Shortage::Next(const std::string& connection, const std::string& sql) {
  const uint64_t next = Next();
  // Values of sequences are not taken back, as they are drawn outside of transactions.
  const std::string lower = ToLower(sql);
  for (const char* word : {"serial ", "identity", "nextval("})
    draws_values_ |= lower.find(word) != std::string::npos;
  // Estimates of rows may differ when planning lacks memory.
  if (lower.starts_with("explain")) return 0;
  if (next == 0 || (draws_values_ && MayChangeRows(sql)) || lower.find("nextval(") != std::string::npos)
    return 0;
  // A text of several statements cannot run again: the first may be done when the second lacks memory.
  if (Split(sql).size() != 1) return 0;
  return in_block_.contains(connection) && file_hash_ % kFilesPerBlockFile != 0 ? 0 : next;
}

bool Shortage::NoteEnd(const std::string& connection, const std::string& sql, bool lacks_memory) {
  const bool was_in_block = in_block_.contains(connection);
  lack_count_ += lacks_memory;
  if (lacks_memory && was_in_block) is_unknown_ = true;
  for (const std::string& statement : Split(sql)) {
    const std::vector<std::string> words = LowerWords(statement);
    if (Begins(words)) in_block_.insert(connection);
    if (Ends(words)) in_block_.erase(connection);
  }
  return !was_in_block;
}

}  // namespace scaup::test
