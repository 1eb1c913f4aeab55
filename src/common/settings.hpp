// The settings of a database: typed values, and one table that names, describes and parses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

namespace scaup {

/// Forms that tests force on every vector a scan emits, so that each kernel meets each form.
enum class ForcedVectorKind : uint8_t { kNone = 0, kFlat = 1, kDictionary = 2, kConstant = 3 };

/// That tests force on grouping and joins, which else divide rows only where these are many: in memory, or in
/// temporary storage.
enum class ForcedPartitions : uint8_t { kNone = 0, kMemory = 1, kSpilled = 2 };

/// The event that a commit waits for: the log on stable storage, the log handed to the system, or neither.
enum class SynchronousMode : uint8_t { kFull = 0, kNormal = 1, kOff = 2 };
/// The way in which opening treats a damaged log: an error, or all that can be saved of it.
enum class RecoveryMode : uint8_t { kStrict = 0, kSalvage = 1 };
/// How a file is opened; automatic: for writing if that can be.
enum class AccessMode : uint8_t { kAutomatic = 0, kReadWrite = 1, kReadOnly = 2 };

/// When a statement that comes again is planned once for all values of its parameters: where no execution
/// could be planned better by itself; never; or the same already when it comes first.
enum class PlanCacheMode : uint8_t { kAuto = 0, kForceCustomPlan = 1, kForceGenericPlan = 2 };

/// The meaning of names of key paths that no document of a collection had: an error, or NULL.
enum class UnknownKeys : uint8_t { kError = 0, kNull = 1 };

/// Plain values; copied into each query when it begins, so a query sees no change while it runs.
struct Settings {
  size_t threads = 1;
  size_t memory_limit_bytes = 0;
  std::string kernel_level = "best";                             ///< "best", "plain", "v2", "v3", "v4"
  ForcedVectorKind force_vector_kind = ForcedVectorKind::kNone;  ///< for tests
  ForcedPartitions force_partitions = ForcedPartitions::kNone;   ///< for tests
  std::set<std::string> disabled_optimizers;                     ///< names of passes
  size_t max_expression_depth = 10000;
  std::string force_compression;  ///< "" or what EncodingName gives: "constant", "run length", ...
  SynchronousMode synchronous = SynchronousMode::kFull;
  /// The size of the log past which a commit makes a checkpoint. Nullopt: as suits the size of the file.
  std::optional<size_t> checkpoint_threshold_bytes;
  RecoveryMode recovery_mode = RecoveryMode::kStrict;
  AccessMode access_mode = AccessMode::kAutomatic;
  std::string temp_directory;           ///< empty: beside the database's file
  size_t max_temp_directory_bytes = 0;  ///< 0: no limit
  std::string time_zone = "UTC";
  PlanCacheMode plan_cache_mode = PlanCacheMode::kAuto;
  uint32_t document_density = 100;  ///< in thousandths
  size_t document_cardinality = 1;
  bool document_materializer = true;
  UnknownKeys unknown_keys = UnknownKeys::kError;
};

/// One row of the table of settings. To add a setting: a field above and a row in settings.cpp.
struct SettingDefinition {
  const char* name;
  const char* description;
  std::string (*get)(const Settings& settings);
  /// Throws Error(kUsage, 22023) when the text is not a value of this setting.
  void (*set)(Settings& settings, const std::string& text);
  /// Counts when a database is opened; afterwards SET refuses to change it.
  bool is_for_opening = false;
  /// SET changes it for the session alone; what a database is opened with is where sessions begin.
  bool is_for_session = false;
};

std::span<const SettingDefinition> AllSettings();
/// Null if there is no such setting.
const SettingDefinition* FindSetting(const std::string& name);
/// "512MB", "80%", "4GiB" or a plain number of bytes. Throws Error(kUsage).
size_t ParseByteSize(const std::string& text);
/// The settings of a new database: all cores, 80% of memory.
Settings DefaultSettings();

}  // namespace scaup
