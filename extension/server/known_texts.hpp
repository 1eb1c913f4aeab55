// KnownTexts: what the texts of a client's last simple queries are.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "scaup/statement_info.hpp"

namespace scaup::server {

/// Remembers texts of one statement, so that a text that comes again is not parsed again: the connection,
/// too, keeps what it has planned for a text. Used by the client's thread.
class KnownTexts {
 public:
  /// Returns null for a text that is not known. The pointer is valid until Add.
  const StatementInfo* Find(std::string_view sql) const {
    const auto found = texts_.find(sql);
    return found == texts_.end() ? nullptr : &found->second;
  }
  void Add(std::string_view sql, const StatementInfo& info) {
    if (sql.size() > kMostBytes || info.copy) return;
    if (texts_.size() == kMostTexts) texts_.clear();
    texts_.emplace(sql, info);
  }

 private:
  static constexpr size_t kMostTexts = 64, kMostBytes = 1024;
  std::map<std::string, StatementInfo, std::less<>> texts_;
};

}  // namespace scaup::server
