// Telling clients of settings that have changed.
#include "reported_settings.hpp"

#include <utility>

#include "startup.hpp"

namespace scaup::server {

using Kind = StatementInfo::Kind;

void ReportedSettings::Begin(Connection& connection, std::string& out) { ReportChanged(connection, out); }

void ReportedSettings::Note(const StatementInfo& info) {
  const bool goes_back = info.kind == Kind::kRollback || info.kind == Kind::kRollbackTo;
  // DISCARD ALL is among the statements of kind kDeallocate.
  if (info.kind == Kind::kSet || info.kind == Kind::kDeallocate || (goes_back && has_changed_in_block_))
    may_have_changed_ = true;
}

void ReportedSettings::Report(char status_letter, Connection& connection, std::string& out) {
  const bool is_in_block = status_letter != 'I';
  if (status_letter == 'E' || !(may_have_changed_ || (has_changed_in_block_ && !is_in_block))) return;
  ReportChanged(connection, out);
  has_changed_in_block_ = is_in_block;
  may_have_changed_ = false;
}

void ReportedSettings::ReportChanged(Connection& connection, std::string& out) {
  constexpr const char* kNames[] = {"application_name", "default_transaction_read_only"};
  QueryResult row = connection.Query(
      "SELECT current_setting('application_name'), current_setting('default_transaction_read_only')");
  std::vector<std::pair<const char*, std::string>> values = {{"TimeZone", row.time_zone()}};
  for (size_t i = 0; i < std::size(kNames); i++)
    values.emplace_back(kNames[i], row.GetValue(i, 0).GetString());
  for (auto& [name, value] : values) {
    std::string& told = told_.try_emplace(name, "\n").first->second;  // No value has a line feed at first.
    if (told == value) continue;
    AppendParameterStatus(name, value, out);
    told = std::move(value);
  }
}

}  // namespace scaup::server
