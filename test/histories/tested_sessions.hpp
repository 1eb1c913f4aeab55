// What a history runs on: Scaup, or the reference that says how it must behave.
#pragma once

#include <memory>
#include <string>

#include "histories/operation.hpp"
#include "histories/table_model.hpp"
#include "scaup/database.hpp"

namespace scaup::test {

enum class Level : uint8_t { kSerializable, kRepeatableRead };

/// One connection. Its calls come from one thread at a time.
class TestedSession {
 public:
  virtual ~TestedSession() = default;
  virtual Outcome Begin(Level level, bool read_only) = 0;
  virtual Outcome Run(const Operation& operation) = 0;
  virtual Outcome Commit() = 0;
  virtual Outcome Rollback() = 0;
  /// One statement outside of a transaction.
  virtual Outcome RunAlone(const Operation& operation) = 0;
};

/// A database with both tables, at first empty. Sessions of several threads at once.
class TestedSystem {
 public:
  virtual ~TestedSystem() = default;
  virtual std::unique_ptr<TestedSession> Connect() = 0;
};

/// Path and settings as Database wants them. Tables are made if they are not there; with `has_documents` the
/// plain one is a collection.
std::unique_ptr<TestedSystem> OpenScaup(const std::string& path, const Config& config,
                                        bool has_documents = false);

/// Whether Scaup knows BEGIN, UPDATE, DELETE, and savepoints yet.
bool ScaupRunsTransactions();
/// Whether it enforces primary keys.
bool ScaupHasKeys();

}  // namespace scaup::test
