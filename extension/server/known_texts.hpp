// KnownTexts: what the texts of a client's last simple queries are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "scaup/statement_info.hpp"

namespace scaup::server {

/// Remembers texts of one statement, so that a text that comes again, with the same literals or others, is
/// not parsed again: the connection, too, keeps what it has planned for a text. Used by the client's thread.
class KnownTexts {
 public:
  /// Returns what is known of a text; null if nothing is. The pointer is valid until Add. The length is that
  /// of another text.
  const StatementInfo* Find(std::string_view sql) {
    key_ = ShapeOfText(sql);
    if (key_.empty()) key_ = sql;
    const auto found = texts_.find(key_);
    return found == texts_.end() ? nullptr : &found->second;
  }
  /// Notes the text that Find has looked for.
  void Add(const StatementInfo& info) {
    if (key_.size() > kMostBytes || info.copy) return;
    if (texts_.size() == kMostTexts) texts_.clear();
    texts_.emplace(std::exchange(key_, {}), info);
  }

 private:
  static constexpr size_t kMostTexts = 64, kMostBytes = 1024;
  std::unordered_map<std::string, StatementInfo> texts_;
  std::string key_;  // of the text that was looked for last
};

}  // namespace scaup::server
