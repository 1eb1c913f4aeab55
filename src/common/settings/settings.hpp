// The settings of a database: typed values, and one table that names, describes and parses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "common/encoding.hpp"
#include "common/isolation_level.hpp"

namespace scaup {

/// The vector forms that tests force on every vector of a scan, so that each kernel meets each form.
enum class ForcedVectorKind : uint8_t { kNone = 0, kFlat = 1, kDictionary = 2, kConstant = 3 };

/// Partitioning that tests force on grouping and joins, which otherwise partition only many rows: in memory,
/// or spilled.
enum class ForcedPartitions : uint8_t { kNone = 0, kMemory = 1, kSpilled = 2 };

/// The event that a commit waits for: the log on stable storage, the log handed to the system, or neither.
enum class SynchronousMode : uint8_t { kFull = 0, kNormal = 1, kOff = 2 };
/// How opening a database treats a damaged log: as an error, or by salvaging what is intact.
enum class RecoveryMode : uint8_t { kStrict = 0, kSalvage = 1 };
/// How a database file is opened. Automatic means for writing if possible.
enum class AccessMode : uint8_t { kAutomatic = 0, kReadWrite = 1, kReadOnly = 2 };

/// When a repeated statement gets one plan for all values of its parameters: once no execution would profit
/// from a plan of its own; never; or already at its first execution.
enum class PlanCacheMode : uint8_t { kAuto = 0, kForceCustomPlan = 1, kForceGenericPlan = 2 };

/// The meaning of a key path that no document of a collection has: an error, or NULL.
enum class UnknownKeys : uint8_t { kError = 0, kNull = 1 };

/// The place of NULLs where ORDER BY does not say it: as the greatest values (PostgreSQL), as the least ones,
/// or last or first in either direction.
enum class NullOrder : uint8_t { kGreatest = 0, kLeast = 1, kLast = 2, kFirst = 3 };

/// The values of all settings. Each query copies them when it begins, so they do not change while it runs.
struct Settings {
  size_t threads = 1;
  size_t memory_limit_bytes = 0;
  std::string kernel_level = "best";                             ///< "best", "plain", "v2", "v3", "v4"
  ForcedVectorKind force_vector_kind = ForcedVectorKind::kNone;  ///< for tests
  ForcedPartitions force_partitions = ForcedPartitions::kNone;   ///< for tests
  uint64_t force_memory_shortage = 0;                            ///< for tests: the seed; 0: none
  std::set<std::string> disabled_optimizers;                     ///< names of optimizer passes
  size_t max_expression_depth = 10000;
  /// The encoding of all columns that it can represent; nullopt chooses for each column.
  std::optional<Encoding> force_compression;
  SynchronousMode synchronous = SynchronousMode::kFull;
  /// The size of the log at which a commit starts a checkpoint; nullopt derives it from the size of the file.
  std::optional<size_t> checkpoint_threshold_bytes;
  RecoveryMode recovery_mode = RecoveryMode::kStrict;
  AccessMode access_mode = AccessMode::kAutomatic;
  std::string temp_directory;           ///< empty: beside the database file
  size_t max_temp_directory_bytes = 0;  ///< 0: no limit
  std::string time_zone = "UTC";
  PlanCacheMode plan_cache_mode = PlanCacheMode::kAuto;
  uint32_t document_density = 100;  ///< in thousandths
  size_t document_cardinality = 1;
  bool document_materializer = true;
  UnknownKeys unknown_keys = UnknownKeys::kError;
  NullOrder default_null_order = NullOrder::kGreatest;
  /// Whether statements may call functions of the catalog whose language the program hosts.
  bool calls_stored_functions = false;
  /// Whether statements may read files over HTTP and HTTPS.
  bool reads_http_files = false;
  uint64_t http_timeout_ms = 30'000;
  std::string http_ca_file;  ///< empty: the system's authorities
  /// How long a statement may run; 0: as long as it takes.
  uint64_t statement_timeout_ms = 0;
  uint64_t lock_timeout_ms = 0;
  // Modes of the session's running transaction and of its next ones, which the session knows.
  IsolationLevel transaction_isolation = IsolationLevel::kSerializable;
  IsolationLevel default_transaction_isolation = IsolationLevel::kSerializable;
  bool transaction_is_read_only = false;
  bool default_transaction_is_read_only = false;
  /// Values of ClientSettings() by name, where SET has changed them.
  std::map<std::string, std::string> client_values;
};

/// One row of the table of settings. A new setting needs a field above and a row in settings.cpp.
struct SettingDefinition {
  const char* name;
  const char* description;
  std::string (*get)(const Settings& settings);
  /// Parses and sets the value. Throws Error(kUsage, 22023) if the text is not a value of this setting.
  void (*set)(Settings& settings, const std::string& text);
  /// Whether the setting takes effect only when a database is opened; SET refuses to change it later.
  bool is_for_opening = false;
  /// Whether SET changes it only for the session; the value at opening is every session's initial value.
  bool is_for_session = false;
};

std::span<const SettingDefinition> AllSettings();
/// Null if there is no such setting.
const SettingDefinition* FindSetting(const std::string& name);
/// Parses "512MB", "80%", "4GiB" or a plain number of bytes. Throws Error(kUsage).
size_t ParseByteSize(const std::string& text);
/// Parses "10s", "2min", "500ms" or a plain number of milliseconds, for a setting. Throws Error(kUsage).
uint64_t ParseDuration(const char* setting, const std::string& text);
/// The settings of a new database: all cores, 80% of memory.
Settings DefaultSettings();

}  // namespace scaup
