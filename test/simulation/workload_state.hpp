// What those who make statements share.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "simulation/database_model.hpp"
#include "simulation/workload.hpp"

namespace scaup::test {

inline std::string Qualified(const DatabaseModel::TableName& name) { return name.first + "." + name.second; }

/// Random numbers, the model as it is, and the workload up to now.
struct WorkloadState {
  std::mt19937_64 random;
  WorkloadOptions options;
  DatabaseModel model;
  Workload workload;

  int64_t Below(int64_t bound) { return static_cast<int64_t>(random() % static_cast<uint64_t>(bound)); }

  /// For a statement after which the database is as the model says now.
  void Add(std::string sql) {
    workload.statements.push_back(std::move(sql));
    workload.breaks_key.push_back(false);
    workload.states.push_back(model);
  }
  /// `main`, or another schema that is there.
  std::string AnySchema() {
    const int64_t choice = Below(static_cast<int64_t>(model.schemas.size()) + 2);
    if (choice < 2) return "main";
    return *std::next(model.schemas.begin(), choice - 2);
  }
};

}  // namespace scaup::test
