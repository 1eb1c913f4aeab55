// The settings that the statements of a session run with.
#pragma once

#include <cstdint>
#include <memory>

#include "main/database/database_settings.hpp"
#include "main/statement/session_settings.hpp"
#include "main/statement/transaction_block.hpp"

namespace scaup {

/// The settings of a statement: the database's, those of the session over them, and the modes of the
/// transaction. Immutable; shared by the session and its statements.
struct StatementSettings {
  Settings settings;
  std::shared_ptr<const TimeZone> time_zone;
};

/// Makes the settings of statements, and makes them anew only after a change. Owned by a session and guarded
/// by its mutex.
class StatementSettingsMaker {
 public:
  /// Throws Error(kUsage, 22023) if there is no time zone of the name that the settings have.
  const std::shared_ptr<const StatementSettings>& Make(const DatabaseSettings& database,
                                                       const SessionSettings& session,
                                                       const TransactionBlock& block);

 private:
  std::shared_ptr<const StatementSettings> made_;
  uint64_t database_version_ = 0;
  SessionSettings session_;
  TransactionModes modes_;
};

}  // namespace scaup
