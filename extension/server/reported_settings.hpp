// Reported settings: those of which clients are told when they change.
#pragma once

#include <map>
#include <string>

#include "scaup/connection.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::server {

/// Follows the settings that drivers keep a copy of, such as the time zone, and tells the client of changes.
/// A block that is rolled back takes its changes back. Used by the client's thread.
class ReportedSettings {
 public:
  /// Tells the client of all of them.
  void Begin(Connection& connection, std::string& out);
  /// Notes a statement that is about to run.
  void Note(const StatementInfo& info);
  /// Tells the client of what has changed. `status_letter` is that of ReadyForQuery; in a failed block
  /// nothing can be asked.
  void Report(char status_letter, Connection& connection, std::string& out);

 private:
  void ReportChanged(Connection& connection, std::string& out);

  std::map<std::string, std::string> told_;
  bool may_have_changed_ = false;
  bool has_changed_in_block_ = false;
};

}  // namespace scaup::server
