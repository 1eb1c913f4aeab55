// Changing settings while a database is open.
#include "main/database/database_settings.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "common/similar_name.hpp"
#include "common/throw.hpp"
#include "main/database/database_storage.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

namespace {

const SettingDefinition& RequireSetting(const std::string& name) {
  const SettingDefinition* definition = FindSetting(name);
  if (definition != nullptr) return *definition;
  std::vector<std::string> names;
  for (const auto& setting : AllSettings()) names.emplace_back(setting.name);
  const std::string similar = MostSimilar(name, names);
  ThrowError(ErrorKind::kUsage, sqlstate::kUndefinedObject,
             fmt::format(
                 "there is no setting \"{}\"{}", name,
                 similar.empty() ? "; SHOW ALL lists them" : fmt::format("; did you mean \"{}\"?", similar)));
}

const SettingDefinition& RequireChangeable(const std::string& name) {
  const SettingDefinition& definition = RequireSetting(name);
  if (!definition.is_for_opening) return definition;
  ThrowError(
      ErrorKind::kUsage, sqlstate::kCantChangeRuntimeParameter,
      fmt::format("setting \"{}\" counts when a database is opened: give it to Database or connect, and "
                  "open the database anew",
                  definition.name));
}

void CheckKernelLevel(const Settings& settings) {
  const auto level = KernelLevelFromName(settings.kernel_level);
  if (level && *level > BestKernelLevel()) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("this machine does not run kernel level \"{}\"; its best is \"{}\"",
                           settings.kernel_level, KernelLevelName(BestKernelLevel())));
  }
}

}  // namespace

Settings SettingsFrom(const Config& config) {
  Settings settings = DefaultSettings();
  for (const auto& [name, value] : config) RequireSetting(name).set(settings, value);
  CheckKernelLevel(settings);
  return settings;
}

DatabaseSettings::DatabaseSettings(const Settings& settings, std::string path, const Followers& followers)
    : path_(std::move(path)),
      followers_(followers),
      settings_(std::make_shared<const Settings>(settings)),
      temporary_storage_(MakeTemporaryStorage(settings)) {
  if (followers_.storage != nullptr)
    followers_.storage->store()->SetTemporaryStorage([this] { return temporary_storage(); });
}

std::shared_ptr<const TimeZone> DatabaseSettings::RequireTimeZone(const std::string& name) const {
  if (auto zone = time_zones_.FindSetting(name)) return zone;
  ThrowError(
      ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
      fmt::format("invalid value for setting \"timezone\": \"{}\"; it must be the name of a time zone, such "
                  "as Europe/Berlin, or a number of hours east of UTC",
                  name));
}

std::shared_ptr<const Settings> DatabaseSettings::Shared() const {
  MutexLock lock(mutex_);
  return settings_;
}

std::shared_ptr<TemporaryStorage> DatabaseSettings::MakeTemporaryStorage(const Settings& settings) const {
  return std::make_shared<TemporaryStorage>(followers_.files,
                                            TemporaryDirectory(settings.temp_directory, path_),
                                            settings.max_temp_directory_bytes);
}

std::shared_ptr<TemporaryStorage> DatabaseSettings::temporary_storage() {
  MutexLock lock(mutex_);
  return temporary_storage_;
}

void DatabaseSettings::Set(const std::string& name, const std::string& value) {
  const SettingDefinition& definition = RequireChangeable(name);
  // The settings are copied, changed and then applied as a whole. change_mutex_ keeps another change from
  // being lost; mutex_ is free meanwhile, so statements can begin.
  const MutexLock one_change(change_mutex_);
  Settings changed = Current();
  definition.set(changed, value);
  CheckKernelLevel(changed);
  Apply(changed);
}

void DatabaseSettings::Reset(const std::string& name) {
  const SettingDefinition& definition = RequireChangeable(name);
  const MutexLock one_change(change_mutex_);
  Settings changed = Current();
  definition.set(changed, definition.get(DefaultSettings()));
  Apply(changed);
}

void DatabaseSettings::Follow(const Settings& host) {
  const MutexLock one_change(change_mutex_);
  const Settings before = Current();
  Settings changed = host;
  changed.threads = before.threads;
  changed.access_mode = before.access_mode;
  changed.force_memory_shortage = before.force_memory_shortage;
  Apply(changed);
}

void DatabaseSettings::Apply(const Settings& settings) {
  // SetThreadCount waits until running tasks end. It is called without mutex_, so that statements
  // that begin meanwhile do not wait, too.
  auto shared = std::make_shared<const Settings>(settings);
  followers_.scheduler.SetThreadCount(settings.threads);
  MutexLock lock(mutex_);
  followers_.memory.SetLimit(settings.memory_limit_bytes);
  if (settings.force_memory_shortage != settings_->force_memory_shortage)
    followers_.memory.SimulateShortage(settings.force_memory_shortage);
  // Running statements share the old storage, which ends with the last of them.
  if (settings.temp_directory != settings_->temp_directory)
    temporary_storage_ = MakeTemporaryStorage(settings);
  temporary_storage_->SetMaxBytes(settings.max_temp_directory_bytes);
  if (followers_.storage) followers_.storage->log().SetSynchronous(settings.synchronous);
  settings_ = std::move(shared);
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace scaup
