// Options and opening of databases.
#include "database.hpp"

#include "edge.hpp"
#include "options.hpp"
#include "uri.hpp"

namespace scaup::adbc {

namespace {

constexpr const char* kPath = "path";
/// The handle of a database that other code of the process has open, see registry::HandleOf.
constexpr const char* kHandle = "scaup.handle";

void RequireSameOrMissing(const Config& settings, const std::string& name, const std::string& value) {
  const auto found = settings.find(name);
  if (found != settings.end() && found->second != value)
    ThrowInvalidArgument("the setting \"" + name + "\" has two values: \"" + found->second + "\" and \"" +
                         value + "\"");
}

}  // namespace

void DatabaseState::SetOption(const std::string& key, const std::string& value) {
  const std::lock_guard lock(mutex_);
  if (SetArrowOption(key, value, arrow_)) return;
  if (key == ADBC_OPTION_USERNAME || key == ADBC_OPTION_PASSWORD)
    ThrowNotImplemented("a database in the process has neither users nor passwords");
  if (key != ADBC_OPTION_URI && key != kPath && key != kHandle) SettingOf(key);
  if (open_ != nullptr)
    ThrowInvalidState("the database is open: set \"" + key +
                      "\" before, or on a connection if it is a setting");
  options_[key] = value;
}

std::string DatabaseState::GetOption(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  std::string value;
  if (GetArrowOption(key, arrow_, value)) return value;
  const auto found = options_.find(key);
  if (found == options_.end()) ThrowNotFound("the option \"" + key + "\" was not set");
  return found->second;
}

void DatabaseState::Init() {
  const std::lock_guard lock(mutex_);
  if (open_ != nullptr) ThrowInvalidState("the database is open already");
  std::optional<std::string> path;
  std::optional<std::string> handle;
  Config settings;
  const auto set_path = [&](const std::string& given) {
    if (path && *path != given)
      ThrowInvalidArgument("\"uri\" and \"path\" name two databases: \"" + *path + "\" and \"" + given +
                           "\"");
    path = given;
  };
  for (const auto& [key, value] : options_) {
    if (key == kHandle) {
      handle = value;
    } else if (key == kPath) {
      set_path(value);
    } else if (key == ADBC_OPTION_URI) {
      const DatabaseUri uri = ParseUri(value);
      set_path(uri.path);
      for (const auto& [name, text] : uri.settings) {
        RequireSameOrMissing(settings, SettingOf(name), text);
        settings[SettingOf(name)] = text;
      }
    } else {
      RequireSameOrMissing(settings, SettingOf(key), value);
      settings[SettingOf(key)] = value;
    }
  }
  if (handle && (path || !settings.empty()))
    ThrowInvalidArgument("a database that is open has its path and settings: give the handle alone");
  open_ = handle ? registry::FindOpen(*handle) : registry::OpenShared(path.value_or(":memory:"), settings);
}

std::shared_ptr<registry::OpenDatabase> DatabaseState::open() const {
  const std::lock_guard lock(mutex_);
  if (open_ == nullptr) ThrowInvalidState("the database is not open: call AdbcDatabaseInit first");
  return open_;
}

ArrowOptions DatabaseState::arrow() const {
  const std::lock_guard lock(mutex_);
  return arrow_;
}

}  // namespace scaup::adbc
