// Opens instances, and executes statements in a session.
#include "simulation/scaup_database.hpp"

#include <type_traits>
#include <utility>

#include "common/throw.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"

namespace scaup::test {

namespace {

class ScaupDatabase final : public TestedDatabase {
 public:
  explicit ScaupDatabase(std::shared_ptr<DatabaseInstance> instance)
      : instance_(std::move(instance)), session_(std::make_shared<Session>(instance_)) {}
  QueryResult Execute(const std::string& sql) override {
    try {
      if (sql == kMaterializerStep) {
        instance_->MaterializeStep();
        return {};
      }
      return session_->Execute(sql, {}, false);
    } catch (...) {
      // A transaction that failed before its end is over.
      if (sql.starts_with("BEGIN")) EndBlock();
      throw;
    }
  }

  std::unique_ptr<TestedDatabase> OpenSession() override {
    return std::make_unique<ScaupDatabase>(instance_);
  }

 private:
  void EndBlock() {
    try {
      session_->Execute("ROLLBACK", {}, false);
    } catch (const Error&) {
      // It was COMMIT that failed: that ended it.
    }
  }

  std::shared_ptr<DatabaseInstance> instance_;
  std::shared_ptr<Session> session_;
};

// What idle time does comes as statements.
const Config kOneThread = {{"threads", "1"}, {"document_materializer", "off"}, {"unknown_keys", "null"}};

// A template, so that this compiles for an instance that knows no files.
template <typename Instance>
constexpr bool kTakesFiles =
    std::is_constructible_v<Instance, const std::string&, const Config&, std::shared_ptr<FileSystem>>;

template <typename Instance>
std::shared_ptr<Instance> Open(const std::string& path, const Config& config,
                               std::shared_ptr<FileSystem> files) {
  if constexpr (kTakesFiles<Instance>) return std::make_shared<Instance>(path, config, std::move(files));
  ThrowNotSupported("databases in files");
}

}  // namespace

bool CanOpenFiles() { return kTakesFiles<DatabaseInstance>; }

std::shared_ptr<DatabaseInstance> OpenSimulated(SimulatedFileSystem& files, const std::string& path,
                                                const Config& config) {
  return Open<DatabaseInstance>(path, config, files.Share());
}

std::unique_ptr<TestedDatabase> OpenScaup(SimulatedFileSystem& files) {
  return std::make_unique<ScaupDatabase>(OpenSimulated(files, kDatabasePath, kOneThread));
}

std::unique_ptr<TestedDatabase> OpenScaupInMemory(SimulatedFileSystem&) {
  return std::make_unique<ScaupDatabase>(std::make_shared<DatabaseInstance>(":memory:", kOneThread));
}

}  // namespace scaup::test
