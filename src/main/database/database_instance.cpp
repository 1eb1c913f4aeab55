// Opening, maintaining and closing a database.
#include "main/database/database_instance.hpp"

#include <fmt/format.h>

#include "common/at_edge.hpp"
#include "common/throw.hpp"
#include "common/version.hpp"
#include "format/http/http_host.hpp"

namespace scaup {

namespace {

bool IsInMemory(const std::string& path) { return path.empty() || path == ":memory:"; }

/// Returns the name of a file without directory and last extension.
std::string NameOfFile(const std::string& path) {
  const size_t begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

/// Returns the settings of a database that is attached to one with these. It runs no statements: those of the
/// host have its threads.
Settings AttachedSettings(Settings settings, bool read_only) {
  settings.threads = 1;
  settings.force_memory_shortage = 0;
  settings.access_mode = read_only ? AccessMode::kReadOnly : AccessMode::kReadWrite;
  return settings;
}

}  // namespace

DatabaseInstance::DatabaseInstance(const std::string& path, const Config& config,
                                   std::shared_ptr<FileSystem> files)
    : DatabaseInstance(SettingsFrom(config), path, std::move(files)) {}

DatabaseInstance::DatabaseInstance(const Settings& settings, const std::string& path,
                                   std::shared_ptr<FileSystem> files, std::shared_ptr<MemoryTracker> memory)
    : memory_(memory ? std::move(memory) : std::make_shared<MemoryTracker>(settings.memory_limit_bytes)),
      files_(files ? std::move(files) : MakePosixFileSystem()),
      scheduler_(settings.threads),
      storage_(IsInMemory(path) ? nullptr
                                : std::make_unique<DatabaseStorage>(*files_, path, settings, *memory_)),
      settings_(settings, IsInMemory(path) ? "" : path, {*memory_, *files_, scheduler_, storage_.get()}),
      catalog_(transactions_, storage_ ? storage_->store() : nullptr) {
  // Refused rather than ignored: the caller probably has an empty path by mistake.
  if (!storage_ && settings.access_mode == AccessMode::kReadOnly) {
    ThrowNotSupported("a database in memory cannot be opened read-only: it would stay empty");
  }
  const auto http = MakeHttpHost(memory_);
  for (const char* const scheme : {"http", "https"}) hosts_.built_in_files.Register(scheme, http);
  transactions_.SetDatabase({storage_ ? NameOfFile(storage_->store()->file().path()) : "memory"});
  if (settings.force_memory_shortage != 0) memory_->SimulateShortage(settings.force_memory_shortage);
  // A wrong time zone is refused before the log is replayed, which may take long and write to the file.
  settings_.RequireTimeZone(settings.time_zone);
  if (storage_) storage_->Load(catalog_, transactions_, settings);
  if (!storage_ || storage_->read_only()) return;
  // Made last, as its thread uses all other members.
  materializer_ = std::make_unique<DocumentMaterializer>(*this);
  materializer_->Notify();
}

DatabaseInstance::DatabaseInstance(DatabaseInstance& host, const std::string& name, const std::string& path,
                                   bool read_only)
    : DatabaseInstance(AttachedSettings(host.settings_.Current(), read_only), path, host.files_,
                       host.memory_) {
  transactions_.SetDatabase({name, read_only});
}

static uint64_t VersionWith(DatabaseInstance& main, const AttachedList* list) {
  // A sum of what only grows, so that no two states have the same one. The number of attachments counts more
  // than all changes of a database could, which go when it is detached.
  uint64_t version = main.catalog().version() + (main.attached().changes() << 32U);
  for (size_t i = 0; list != nullptr && i < list->size(); i++)
    version += (*list)[i].instance->catalog().version();
  return version;
}

uint64_t CatalogVersion(DatabaseInstance& main) { return VersionWith(main, main.attached().list().get()); }

DatabaseTransaction DatabaseInstance::Begin() {
  for (;;) {
    const auto list = attached_.list();
    if (storage_) storage_->Follow();
    std::vector<TransactionManager*> others;
    for (size_t i = 0; list && i < list->size(); i++) {
      DatabaseInstance& other = *(*list)[i].instance;
      if (other.storage_) other.storage_->Follow();
      others.push_back(&other.transactions_);
    }
    const uint64_t version = VersionWith(*this, list.get());
    auto transaction = others.empty() ? transactions_.Begin() : transactions_.BeginWith(others);
    if (VersionWith(*this, list.get()) == version) return {list, std::move(transaction), version};
    // A change was committed in between, and the transaction may see it or not. A plan made in it would be
    // taken for one of the wrong version.
    transactions_.Rollback(*transaction);
  }
}

DatabaseInstance::~DatabaseInstance() {
  // The thread ends before the last checkpoint. Otherwise it could exchange row groups after it, and the work
  // would be lost.
  materializer_.reset();
  if (storage_) storage_->Close(catalog_, transactions_, settings_.AtClose());
}

DatabaseInstance& ChangedBy(DatabaseInstance& main, const DatabaseTransaction& begun) {
  for (size_t i = 0; begun.attached && i < begun.attached->size(); i++) {
    DatabaseInstance& instance = *(*begun.attached)[i].instance;
    if (begun.transaction->In(&instance.transactions()).has_changes()) return instance;
  }
  return main;
}

DatabaseInstance& InstanceNamed(DatabaseInstance& main, const DatabaseTransaction& begun,
                                const std::string& name) {
  for (size_t i = 0; begun.attached && i < begun.attached->size(); i++) {
    if ((*begun.attached)[i].name == name) return *(*begun.attached)[i].instance;
  }
  return main;
}

bool HasCatalogChanges(DatabaseInstance& main, const DatabaseTransaction& begun) {
  if (main.catalog().HasChanges(*begun.transaction)) return true;
  for (size_t i = 0; begun.attached && i < begun.attached->size(); i++) {
    DatabaseInstance& instance = *(*begun.attached)[i].instance;
    if (instance.catalog().HasChanges(begun.transaction->In(&instance.transactions()))) return true;
  }
  return false;
}

void DatabaseInstance::Checkpoint() {
  if (storage_) storage_->Checkpoint(catalog_, transactions_, settings_.Current());
}

void DatabaseInstance::CheckpointIfDue() noexcept {
  if (storage_) storage_->CheckpointIfDue(catalog_, transactions_, *settings_.Shared());
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
  if (storage_) storage_->Vacuum(catalog_, transactions_, settings_.Current());
}

Database::Database(const std::string& path, const Config& config)
    : instance_(AtEdge([&] { return MakeSharedInProcess<DatabaseInstance>(path, config); })) {}

void Database::RegisterLanguage(std::string_view name, std::shared_ptr<FunctionHost> host) {
  AtEdge([&] {
    if (!instance_)
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue, "the database was moved from");
    instance_->origin().RequireOwn();
    instance_->hosts().languages.Register(name, std::move(host));
  });
}

void Database::RegisterFileSystem(std::string_view scheme, std::shared_ptr<FileHost> host) {
  AtEdge([&] {
    if (!instance_)
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue, "the database was moved from");
    instance_->origin().RequireOwn();
    instance_->hosts().files.Register(scheme, std::move(host));
  });
}

const char* Database::Version() noexcept { return kVersion; }

}  // namespace scaup
