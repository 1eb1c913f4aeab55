// Puts the settings of a statement together.
#include "main/statement/statement_settings.hpp"

namespace scaup {

const std::shared_ptr<const StatementSettings>& StatementSettingsMaker::Make(const DatabaseSettings& database,
                                                                             const SessionSettings& session,
                                                                             const TransactionBlock& block) {
  // Read before the settings: those that are newer than their number are made once more.
  const uint64_t version = database.version();
  const TransactionModes modes = block.modes();
  const bool is_same = made_ && version == database_version_ && session_.IsCopyOf(session) && modes == modes_;
  if (is_same) return made_;
  StatementSettings next{session.Over(*database.Shared()), nullptr};
  next.time_zone = database.RequireTimeZone(next.settings.time_zone);
  next.settings.transaction_isolation = modes.isolation;
  next.settings.transaction_is_read_only = modes.read_only;
  next.settings.default_transaction_isolation = modes.default_isolation;
  next.settings.default_transaction_is_read_only = modes.default_read_only;
  made_ = std::make_shared<const StatementSettings>(std::move(next));
  database_version_ = version;
  session_ = session;
  modes_ = modes;
  return made_;
}

}  // namespace scaup
