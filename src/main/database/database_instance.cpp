// Opening a database, and its settings.
#include "main/database/database_instance.hpp"

#include <fmt/format.h>

#include "common/at_edge.hpp"
#include "common/similar_name.hpp"
#include "common/throw.hpp"
#include "common/version.hpp"
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

/// Returns the defaults with the settings of `config` in their place. Throws if the machine lacks the kernel
/// level.
Settings SettingsFrom(const Config& config) {
  Settings settings = DefaultSettings();
  for (const auto& [name, value] : config) RequireSetting(name).set(settings, value);
  CheckKernelLevel(settings);
  return settings;
}

bool IsInMemory(const std::string& path) { return path.empty() || path == ":memory:"; }

}  // namespace

DatabaseInstance::DatabaseInstance(const std::string& path, const Config& config,
                                   std::shared_ptr<FileSystem> files)
    : settings_(SettingsFrom(config)),
      memory_(std::make_shared<MemoryTracker>(settings_.memory_limit_bytes)),
      path_(IsInMemory(path) ? "" : path),
      files_(files ? std::move(files) : MakePosixFileSystem()),
      scheduler_(settings_.threads),
      storage_(IsInMemory(path) ? nullptr
                                : std::make_unique<DatabaseStorage>(*files_, path, settings_, *memory_)),
      catalog_(transactions_, storage_ ? storage_->store() : nullptr) {
  // Refused rather than ignored: the caller probably has an empty path by mistake.
  if (!storage_ && settings_.access_mode == AccessMode::kReadOnly) {
    ThrowNotSupported("a database in memory cannot be opened read-only: it would stay empty");
  }
  // A wrong time zone is refused before the log is replayed, which may take long and write to the file.
  RequireTimeZone(settings_.time_zone);
  temporary_storage_ = MakeTemporaryStorage(settings_);
  if (storage_) storage_->Load(catalog_, transactions_, settings_);
  if (!storage_ || storage_->read_only()) return;
  // Made last, as its thread uses all other members.
  materializer_ = std::make_unique<DocumentMaterializer>(*this);
  materializer_->Notify();
}

DatabaseInstance::~DatabaseInstance() {
  // The thread ends before the last checkpoint. Otherwise it could exchange row groups after it, and the work
  // would be lost.
  materializer_.reset();
  if (storage_) storage_->Close(catalog_, transactions_, settings_);
}

std::shared_ptr<const TimeZone> DatabaseInstance::RequireTimeZone(const std::string& name) const {
  if (auto zone = time_zones_.FindSetting(name)) return zone;
  ThrowError(
      ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
      fmt::format("invalid value for setting \"timezone\": \"{}\"; it must be the name of a time zone, such "
                  "as Europe/Berlin, or a number of hours east of UTC",
                  name));
}

Settings DatabaseInstance::settings() const {
  MutexLock lock(settings_mutex_);
  return settings_;
}

std::shared_ptr<TemporaryStorage> DatabaseInstance::MakeTemporaryStorage(const Settings& settings) const {
  return std::make_shared<TemporaryStorage>(*files_, TemporaryDirectory(settings.temp_directory, path_),
                                            settings.max_temp_directory_bytes);
}

std::shared_ptr<TemporaryStorage> DatabaseInstance::temporary_storage() {
  MutexLock lock(settings_mutex_);
  return temporary_storage_;
}

void DatabaseInstance::Checkpoint() {
  if (storage_) storage_->Checkpoint(catalog_, transactions_, settings());
}

void DatabaseInstance::CheckpointIfDue() noexcept {
  try {
    if (storage_) storage_->CheckpointIfDue(catalog_, transactions_, settings());
  } catch (const std::exception&) {
    // There was no memory to copy the settings. The commit has succeeded, so this is no error; the next one
    // tries again.
  }
  if (materializer_) materializer_->Notify();
}

void DatabaseInstance::ExplainOutOfMemory(const Error& error) const {
  if (error.kind() != ErrorKind::kOutOfMemory || !storage_) return;
  // A failed automatic checkpoint is silent, so this is the first message in which the user can see it.
  const std::string reason = storage_->automatic_error();
  if (reason.empty()) return;
  throw Error(
      error.kind(), error.sqlstate(),
      fmt::format("{}; the last checkpoint that was made by itself failed, so that changes since stay "
                  "in memory: {}",
                  error.message(), reason),
      error.position());
}

void DatabaseInstance::Materialize(const std::vector<std::shared_ptr<Table>>& collections,
                                   const std::function<void()>& check_interrupt) {
  if (!materializer_) return;
  // The checkpoint makes the new row groups durable and frees the blocks of the old ones.
  for (const auto& collection : collections) materializer_->Run(*collection, check_interrupt);
  Checkpoint();
}

void DatabaseInstance::Vacuum() {
  if (storage_) storage_->Vacuum(catalog_, transactions_, settings());
}

void DatabaseInstance::Set(const std::string& name, const std::string& value) {
  const SettingDefinition& definition = RequireChangeable(name);
  // The settings are copied, changed and then applied as a whole. change_mutex_ keeps another change from
  // being lost; settings_mutex_ is free meanwhile, so statements can begin.
  const MutexLock one_change(change_mutex_);
  Settings changed = settings();
  definition.set(changed, value);
  CheckKernelLevel(changed);
  Apply(changed);
}

void DatabaseInstance::Reset(const std::string& name) {
  const SettingDefinition& definition = RequireChangeable(name);
  const MutexLock one_change(change_mutex_);
  Settings changed = settings();
  definition.set(changed, definition.get(DefaultSettings()));
  Apply(changed);
}

void DatabaseInstance::Apply(const Settings& settings) {
  // SetThreadCount waits until running tasks end. It is called without settings_mutex_, so that statements
  // that begin meanwhile do not wait, too.
  scheduler_.SetThreadCount(settings.threads);
  MutexLock lock(settings_mutex_);
  memory_->SetLimit(settings.memory_limit_bytes);
  // Running statements share the old storage, which ends with the last of them.
  if (settings.temp_directory != settings_.temp_directory)
    temporary_storage_ = MakeTemporaryStorage(settings);
  temporary_storage_->SetMaxBytes(settings.max_temp_directory_bytes);
  if (storage_) storage_->log().SetSynchronous(settings.synchronous);
  settings_ = settings;
}

Database::Database(const std::string& path, const Config& config)
    : instance_(AtEdge([&] { return MakeSharedInProcess<DatabaseInstance>(path, config); })) {}

const char* Database::Version() noexcept { return kVersion; }

}  // namespace scaup
