// The table of settings: how each is parsed and printed.
#include "common/settings/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "common/machine.hpp"
#include "common/settings/client_settings.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr size_t kMaxThreads = 1024;
constexpr size_t kMostCardinality = 100000;
constexpr size_t kMostSeed = std::numeric_limits<int64_t>::max();
constexpr size_t kMinMemoryBytes = size_t{1} << 20;

[[noreturn]] void ThrowInvalid(std::string_view setting, const std::string& text, std::string_view wanted) {
  throw Error(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
              fmt::format("invalid value for setting \"{}\": \"{}\"; it must be {}", setting, text, wanted));
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

size_t ParseCount(std::string_view setting, const std::string& text, size_t low, size_t high) {
  const std::string_view trimmed = Trim(text);
  size_t value = 0;
  const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
  if (error != std::errc() || end != trimmed.data() + trimmed.size() || value < low || value > high) {
    ThrowInvalid(setting, text, fmt::format("a whole number from {} to {}", low, high));
  }
  return value;
}

// Formats exactly, by the largest unit that divides the number, so that the text can be passed to SET.
std::string FormatByteSize(size_t size_bytes) {
  static constexpr struct {
    const char* unit;
    int shift;
  } kUnits[] = {{"GiB", 30}, {"MiB", 20}, {"KiB", 10}};
  for (const auto& [unit, shift] : kUnits) {
    if (size_bytes != 0 && size_bytes % (size_t{1} << shift) == 0)
      return fmt::format("{}{}", size_bytes >> shift, unit);
  }
  return fmt::format("{}B", size_bytes);
}

// The factor of a unit, or 0 for an unknown one. '%' refers to the machine's memory.
double UnitFactor(std::string_view unit) {
  static constexpr struct {
    const char* name;
    double factor;
  } kUnits[] = {{"", 1},          {"b", 1},         {"byte", 1},      {"bytes", 1},
                {"kb", 1e3},      {"k", 1e3},       {"mb", 1e6},      {"m", 1e6},
                {"gb", 1e9},      {"g", 1e9},       {"tb", 1e12},     {"t", 1e12},
                {"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1ll << 40}};
  for (const auto& [name, factor] : kUnits) {
    if (unit == name) return factor;
  }
  return unit == "%" ? static_cast<double>(MachineMemoryBytes()) / 100 : 0;
}

void SetKernelLevel(Settings& settings, const std::string& text) {
  const std::string level = ToLower(Trim(text));
  static constexpr const char* kLevels[] = {"best", "plain", "v2", "v3", "v4"};
  if (std::find(std::begin(kLevels), std::end(kLevels), level) == std::end(kLevels)) {
    ThrowInvalid("kernel_level", text, "best, plain, v2, v3 or v4");
  }
  settings.kernel_level = level;
}

void SetMemoryLimit(Settings& settings, const std::string& text) {
  const size_t size_bytes = ParseByteSize(text);
  if (size_bytes < kMinMemoryBytes) ThrowInvalid("memory_limit", text, "at least 1MiB");
  settings.memory_limit_bytes = size_bytes;
}

/// The enumerator whose name `text` is, in any case.
template <typename Enum, size_t kCount>
Enum ParseChoice(std::string_view setting, const char* const (&names)[kCount], const std::string& text) {
  const std::string name = ToLower(Trim(text));
  std::string wanted;
  for (size_t i = 0; i < kCount; i++) {
    if (name == names[i]) return static_cast<Enum>(i);
    wanted += (i == 0 ? "" : i + 1 == kCount ? " or " : ", ") + std::string(names[i]);
  }
  ThrowInvalid(setting, text, wanted);
}

// Names in the order of their enumerators.
constexpr const char* kSynchronousNames[] = {"full", "normal", "off"};
constexpr const char* kRecoveryNames[] = {"strict", "salvage"};
constexpr const char* kAccessNames[] = {"automatic", "read_write", "read_only"};
constexpr const char* kVectorKindNames[] = {"none", "flat", "dictionary", "constant"};
constexpr const char* kPartitionNames[] = {"none", "memory", "spilled"};
constexpr const char* kPlanCacheModeNames[] = {"auto", "force_custom_plan", "force_generic_plan"};
constexpr const char* kUnknownKeysNames[] = {"error", "null"};
constexpr const char* kNullOrderNames[] = {"nulls_last_on_asc_first_on_desc",
                                           "nulls_first_on_asc_last_on_desc", "nulls_last", "nulls_first"};

/// Names of orders that DuckDB knows, too: those of systems, and with a blank.
constexpr struct {
  const char* alias;
  const char* name;
} kNullOrderAliases[] = {
    {"postgres", "nulls_last_on_asc_first_on_desc"},
    {"postgresql", "nulls_last_on_asc_first_on_desc"},
    {"sqlite", "nulls_first_on_asc_last_on_desc"},
    {"mysql", "nulls_first_on_asc_last_on_desc"},
    {"nulls last", "nulls_last"},
    {"nulls first", "nulls_first"},
    {"last", "nulls_last"},
    {"first", "nulls_first"},
};

NullOrder ParseNullOrder(const std::string& text) {
  std::string name = ToLower(text);
  for (const auto& entry : kNullOrderAliases) {
    if (name == entry.alias) name = entry.name;
  }
  return ParseChoice<NullOrder>("default_null_order", kNullOrderNames, name);
}

// Names of encodings that other systems use.
constexpr struct {
  const char* alias;
  Encoding encoding;
} kEncodingAliases[] = {{"uncompressed", Encoding::kRaw},
                        {"rle", Encoding::kRunLength},
                        {"bitpacking", Encoding::kFrameOfReference},
                        {"for", Encoding::kFrameOfReference}};

std::string GetForceCompression(const Settings& settings) {
  return settings.force_compression ? ToLower(EncodingName(*settings.force_compression)) : "auto";
}

void SetForceCompression(Settings& settings, const std::string& text) {
  std::string name = ToLower(Trim(text));
  std::replace(name.begin(), name.end(), '_', ' ');
  std::optional<Encoding> found;
  std::string wanted = "auto";
  for (const auto& [encoding, encoding_name] : kEncodings) {
    const std::string known = ToLower(encoding_name);
    if (name == known) found = encoding;
    wanted += (encoding == std::rbegin(kEncodings)->encoding ? " or " : ", ") + known;
  }
  for (const auto& [alias, encoding] : kEncodingAliases)
    if (name == alias) found = encoding;
  if (!found && !name.empty() && name != "auto") ThrowInvalid("force_compression", text, wanted);
  settings.force_compression = found;
}

std::string GetCheckpointThreshold(const Settings& settings) {
  const auto& threshold = settings.checkpoint_threshold_bytes;
  return threshold ? FormatByteSize(*threshold) : "auto";
}
void SetCheckpointThreshold(Settings& settings, const std::string& text) {
  if (ToLower(Trim(text)) == "auto") {
    settings.checkpoint_threshold_bytes.reset();
  } else {
    settings.checkpoint_threshold_bytes = ParseByteSize(text);
  }
}

void SetMaxTempDirectorySize(Settings& settings, const std::string& text) {
  // A percentage would refer to memory, not to the disk.
  if (text.find('%') != std::string::npos) {
    ThrowInvalid("max_temp_directory_size", text, "a size such as '100GiB', or 0 for no limit");
  }
  settings.max_temp_directory_bytes = ParseByteSize(text);
}

std::string GetDocumentDensity(const Settings& settings) {
  std::string text = fmt::format("{:.3f}", settings.document_density / 1000.0);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}
void SetDocumentDensity(Settings& settings, const std::string& text) {
  const std::string_view trimmed = Trim(text);
  double share = 0;
  const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), share);
  if (error != std::errc() || end != trimmed.data() + trimmed.size() || !(share >= 0 && share <= 1))
    ThrowInvalid("document_density", text, "a number from 0 to 1");
  settings.document_density = static_cast<uint32_t>(share * 1000 + 0.5);
}

bool ParseSwitch(const char* setting, const std::string& text) {
  const std::string value = ToLower(Trim(text));
  if (value == "on" || value == "true" || value == "1" || value == "yes") return true;
  if (value == "off" || value == "false" || value == "0" || value == "no") return false;
  ThrowInvalid(setting, text, "on or off");
}

std::string SwitchText(bool is_on) { return is_on ? "on" : "off"; }

constexpr struct {
  std::string_view unit;
  uint64_t milliseconds;
} kDurationUnits[] = {{"d", 86'400'000}, {"h", 3'600'000}, {"min", 60'000}, {"s", 1000}, {"ms", 1}, {"", 1}};

/// Formats milliseconds by the largest unit that divides them.
std::string FormatDuration(uint64_t milliseconds) {
  for (const auto& [unit, factor] : kDurationUnits) {
    if (milliseconds != 0 && milliseconds % factor == 0)
      return fmt::format("{}{}", milliseconds / factor, unit);
  }
  return "0";
}

}  // namespace

uint64_t ParseDuration(const char* setting, const std::string& text) {
  constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
  const std::string lower = ToLower(Trim(text));
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(lower.data(), lower.data() + lower.size(), number);
  const std::string_view unit = Trim(std::string_view(lower).substr(static_cast<size_t>(end - lower.data())));
  for (const auto& known : kDurationUnits) {
    if (error == std::errc() && unit == known.unit && number <= kMost / known.milliseconds)
      return number * known.milliseconds;
  }
  ThrowInvalid(setting, text, "a time such as '500ms', '10s' or '2min', or 0 for none");
}

namespace {

constexpr const char* kIsolationNames[] = {"read uncommitted", "read committed", "repeatable read",
                                           "serializable"};

std::string IsolationText(IsolationLevel level) { return kIsolationNames[static_cast<size_t>(level)]; }

std::string GetIsolation(const Settings& settings) { return IsolationText(settings.transaction_isolation); }
std::string GetReadOnly(const Settings& settings) { return SwitchText(settings.transaction_is_read_only); }
std::string GetDefaultIsolation(const Settings& settings) {
  return IsolationText(settings.default_transaction_isolation);
}
std::string GetDefaultReadOnly(const Settings& settings) {
  return SwitchText(settings.default_transaction_is_read_only);
}

/// Refuses to change a mode of transactions, which have statements of their own.
template <auto kGet>
void RefuseChange(Settings& settings, const std::string& text) {
  if (text == kGet(settings)) return;
  throw Error(ErrorKind::kUsage, sqlstate::kCantChangeRuntimeParameter,
              "the modes of transactions are set by SET TRANSACTION and SET SESSION CHARACTERISTICS AS "
              "TRANSACTION, or by SET with the name of the setting");
}

std::string GetDisabledOptimizers(const Settings& settings) {
  std::string list;
  for (const std::string& name : settings.disabled_optimizers) {
    if (!list.empty()) list += ',';
    list += name;
  }
  return list;
}

void SetDisabledOptimizers(Settings& settings, const std::string& text) {
  std::set<std::string> names;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view name = Trim(rest.substr(0, comma));
    if (!name.empty()) names.insert(ToLower(name));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  settings.disabled_optimizers = std::move(names);
}

constexpr SettingDefinition kSettings[] = {
    {"threads", "How many threads work on queries, the caller's included.",
     [](const Settings& settings) { return std::to_string(settings.threads); },
     [](Settings& settings, const std::string& text) {
       settings.threads = ParseCount("threads", text, 1, kMaxThreads);
     }},
    {"memory_limit", "The most memory that data may take, such as '4GiB', '500MB' or '80%'.",
     [](const Settings& settings) { return FormatByteSize(settings.memory_limit_bytes); }, SetMemoryLimit},
    {"kernel_level", "The instruction set that kernels use: best, plain, v2, v3 or v4.",
     [](const Settings& settings) { return settings.kernel_level; }, SetKernelLevel},
    {"force_vector_kind",
     "For tests: the form of every vector that a scan emits: none, flat, dictionary or constant.",
     [](const Settings& settings) {
       return std::string(kVectorKindNames[static_cast<size_t>(settings.force_vector_kind)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.force_vector_kind =
           ParseChoice<ForcedVectorKind>("force_vector_kind", kVectorKindNames, text);
     }},
    {"force_partitions",
     "For tests: how grouping and joins divide few rows already: none, memory or spilled.",
     [](const Settings& settings) {
       return std::string(kPartitionNames[static_cast<size_t>(settings.force_partitions)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.force_partitions = ParseChoice<ForcedPartitions>("force_partitions", kPartitionNames, text);
     }},
    {"force_memory_shortage",
     "For tests: a number by which memory seems to be short at random points; 0: never.",
     [](const Settings& settings) { return std::to_string(settings.force_memory_shortage); },
     [](Settings& settings, const std::string& text) {
       settings.force_memory_shortage = ParseCount("force_memory_shortage", text, 0, kMostSeed);
     }},
    {"disabled_optimizers", "Optimizer passes that are left out, separated by commas.", GetDisabledOptimizers,
     SetDisabledOptimizers},
    {"plan_cache_mode",
     "Whether statements that come again are planned once for all parameters: auto (where that is as good), "
     "force_custom_plan (never) or force_generic_plan (already when they come first).",
     [](const Settings& settings) {
       return std::string(kPlanCacheModeNames[static_cast<size_t>(settings.plan_cache_mode)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.plan_cache_mode = ParseChoice<PlanCacheMode>("plan_cache_mode", kPlanCacheModeNames, text);
     }},
    {"max_expression_depth",
     "How deeply expressions and subqueries may be nested, where the stack has room for it.",
     [](const Settings& settings) { return std::to_string(settings.max_expression_depth); },
     [](Settings& settings, const std::string& text) {
       settings.max_expression_depth = ParseCount("max_expression_depth", text, 10, 100000);
     }},
    {"force_compression",
     "How checkpoints compress columns: auto (each as suits it), or one encoding where it can be used.",
     GetForceCompression, SetForceCompression},
    {"synchronous", "What a commit waits for: full (it is on disk), normal (the system has it) or off.",
     [](const Settings& settings) {
       return std::string(kSynchronousNames[static_cast<size_t>(settings.synchronous)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.synchronous = ParseChoice<SynchronousMode>("synchronous", kSynchronousNames, text);
     }},
    {"checkpoint_threshold",
     "The size of the log past which a commit makes a checkpoint; auto: as suits the size of the file.",
     GetCheckpointThreshold, SetCheckpointThreshold},
    {"wal_autocheckpoint", "Another name of checkpoint_threshold.", GetCheckpointThreshold,
     SetCheckpointThreshold},
    {"recovery_mode",
     "What opening does with a damaged log: strict (an error) or salvage (keeps what it can).",
     [](const Settings& settings) {
       return std::string(kRecoveryNames[static_cast<size_t>(settings.recovery_mode)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.recovery_mode = ParseChoice<RecoveryMode>("recovery_mode", kRecoveryNames, text);
     },
     true},
    {"access_mode", "How the file is opened: automatic, read_write or read_only.",
     [](const Settings& settings) {
       return std::string(kAccessNames[static_cast<size_t>(settings.access_mode)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.access_mode = ParseChoice<AccessMode>("access_mode", kAccessNames, text);
     },
     true},
    {"stored_functions",
     "Whether functions of the database in languages other than SQL may be called: off or on. What opens a "
     "file must trust it for this.",
     [](const Settings& settings) { return SwitchText(settings.calls_stored_functions); },
     [](Settings& settings, const std::string& text) {
       settings.calls_stored_functions = ParseSwitch("stored_functions", text);
     },
     true},
    {"http_files", "Whether statements may read files over HTTP and HTTPS: off or on.",
     [](const Settings& settings) { return SwitchText(settings.reads_http_files); },
     [](Settings& settings, const std::string& text) {
       settings.reads_http_files = ParseSwitch("http_files", text);
     }},
    {"http_timeout", "How long a transfer over HTTP may wait for a connection, or for the next bytes.",
     [](const Settings& settings) { return FormatDuration(settings.http_timeout_ms); },
     [](Settings& settings, const std::string& text) {
       settings.http_timeout_ms = ParseDuration("http_timeout", text);
     }},
    {"http_ca_file",
     "The file of the authorities whose certificates of HTTPS are trusted; empty: those of the system.",
     [](const Settings& settings) { return settings.http_ca_file; },
     [](Settings& settings, const std::string& text) { settings.http_ca_file = Trim(text); }},
    {"temp_directory",
     "Where data goes that does not fit in memory; empty: beside the database's file, or /tmp.",
     [](const Settings& settings) { return settings.temp_directory; },
     [](Settings& settings, const std::string& text) { settings.temp_directory = Trim(text); }},
    {"max_temp_directory_size", "The most bytes that data outside of memory may take; 0: no limit.",
     [](const Settings& settings) { return FormatByteSize(settings.max_temp_directory_bytes); },
     SetMaxTempDirectorySize},
    {"TimeZone",
     "The time zone of TIMESTAMP WITH TIME ZONE in text and of today: 'Europe/Berlin', 'UTC', or hours east "
     "of it.",
     [](const Settings& settings) { return settings.time_zone; },
     [](Settings& settings, const std::string& text) { settings.time_zone = Trim(text); }, false, true},
    {"document_density",
     "Which part of the documents of a row group must have an attribute for it to get a column: 0 to 1.",
     GetDocumentDensity, SetDocumentDensity},
    {"document_cardinality",
     "How many different values an attribute must have among the documents of a row group to get a column.",
     [](const Settings& settings) { return std::to_string(settings.document_cardinality); },
     [](Settings& settings, const std::string& text) {
       settings.document_cardinality = ParseCount("document_cardinality", text, 1, kMostCardinality);
     }},
    {"document_materializer",
     "Whether idle time is used to keep documents attribute by attribute as these settings want it: on or "
     "off.",
     [](const Settings& settings) { return SwitchText(settings.document_materializer); },
     [](Settings& settings, const std::string& text) {
       settings.document_materializer = ParseSwitch("document_materializer", text);
     }},
    {"default_null_order",
     "Where NULLs sort if ORDER BY does not say: nulls_last_on_asc_first_on_desc (as in PostgreSQL), "
     "nulls_first_on_asc_last_on_desc, nulls_last or nulls_first.",
     [](const Settings& settings) {
       return std::string(kNullOrderNames[static_cast<size_t>(settings.default_null_order)]);
     },
     [](Settings& settings, const std::string& text) { settings.default_null_order = ParseNullOrder(text); },
     false, true},
    {"unknown_keys",
     "What a key that no document of a collection had is in a query: error, or null (an absent value).",
     [](const Settings& settings) {
       return std::string(kUnknownKeysNames[static_cast<size_t>(settings.unknown_keys)]);
     },
     [](Settings& settings, const std::string& text) {
       settings.unknown_keys = ParseChoice<UnknownKeys>("unknown_keys", kUnknownKeysNames, text);
     },
     false, true},
    {"statement_timeout", "How long a statement may run, such as '500ms' or '10s'; 0: as long as it takes.",
     [](const Settings& settings) { return FormatDuration(settings.statement_timeout_ms); },
     [](Settings& settings, const std::string& text) {
       settings.statement_timeout_ms = ParseDuration("statement_timeout", text);
     },
     false, true},
    {"lock_timeout", "For clients of PostgreSQL: how long to wait for locks. No statement waits for any.",
     [](const Settings& settings) { return FormatDuration(settings.lock_timeout_ms); },
     [](Settings& settings, const std::string& text) {
       settings.lock_timeout_ms = ParseDuration("lock_timeout", text);
     },
     false, true},
    {"transaction_isolation", "The isolation level of the transaction.", GetIsolation,
     RefuseChange<&GetIsolation>, false, true},
    {"transaction_read_only", "Whether the transaction may only read: on or off.", GetReadOnly,
     RefuseChange<&GetReadOnly>, false, true},
    {"default_transaction_isolation", "The isolation level of the session's next transactions.",
     GetDefaultIsolation, RefuseChange<&GetDefaultIsolation>, false, true},
    {"default_transaction_read_only", "Whether the session's next transactions may only read: on or off.",
     GetDefaultReadOnly, RefuseChange<&GetDefaultReadOnly>, false, true},
};

}  // namespace

std::span<const SettingDefinition> AllSettings() {
  // Never destroyed, see CONTRIBUTING.md.
  static const auto& all = *new std::vector<SettingDefinition>([] {
    std::vector<SettingDefinition> definitions(std::begin(kSettings), std::end(kSettings));
    for (const SettingDefinition& definition : ClientSettings()) definitions.push_back(definition);
    return definitions;
  }());
  return all;
}

const SettingDefinition* FindSetting(const std::string& name) {
  const std::string lower = ToLower(name);
  for (const SettingDefinition& setting : AllSettings()) {
    if (lower == ToLower(setting.name)) return &setting;
  }
  return nullptr;
}

size_t ParseByteSize(const std::string& text) {
  const std::string lower = ToLower(Trim(text));
  size_t digits = 0;
  while (digits < lower.size() && ((lower[digits] >= '0' && lower[digits] <= '9') || lower[digits] == '.'))
    digits++;
  const double factor = UnitFactor(Trim(std::string_view(lower).substr(digits)));
  uint64_t whole = 0;
  const char* const number_end = lower.data() + digits;
  if (const auto [end, error] = std::from_chars(lower.data(), number_end, whole);
      error == std::errc() && end == number_end && factor == 1) {
    return whole;  // Whole bytes stay exact beyond a double's 53 bits.
  }
  double number = 0;
  const auto [end, error] = std::from_chars(lower.data(), number_end, number);
  const double size_bytes = number * factor;
  if (digits == 0 || error != std::errc() || end != number_end || factor == 0 ||
      size_bytes >= static_cast<double>(std::numeric_limits<int64_t>::max())) {
    throw Error(
        ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
        fmt::format("\"{}\" is not a size; write it as '512MB', '4GiB', '80%' or a number of bytes", text));
  }
  return static_cast<size_t>(size_bytes);
}

Settings DefaultSettings() {
  Settings settings;
  settings.threads = std::clamp<size_t>(MachineThreads(), 1, kMaxThreads);
  // Rounded to whole mebibytes, so that the limit prints well.
  settings.memory_limit_bytes = std::max(MachineMemoryBytes() / 10 * 8 >> 20 << 20, size_t{64} << 20);
  return settings;
}

}  // namespace scaup
