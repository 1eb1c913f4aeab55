// Random statements about collections, and what must be in these afterwards.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulation/document_patterns.hpp"
#include "simulation/workload_state.hpp"

namespace scaup::test {

/// Adds statements to the workload, and does the same to the model. Some calls add none.
class CollectionWorkload {
 public:
  explicit CollectionWorkload(WorkloadState& state) : state_(state), wild_documents_(state.random()) {}

  /// Whatever may stand in a transaction.
  void AddChange();
  /// What moves documents between their forms, which no answer may show.
  void AddMove();

 private:
  using Name = DatabaseModel::TableName;
  using Path = std::vector<std::string>;
  struct Condition {
    std::string sql;
    std::function<bool(const JsonModel&)> passes;
  };
  struct NewValue {
    std::string sql;
    std::function<std::optional<JsonModel>(const JsonModel&)> value;  ///< of the document; none: taken away
  };

  std::optional<Name> AnyCollection();
  std::optional<Name> NewName();
  void Create();
  void Drop();
  void InsertDocuments();
  void InsertSeries();
  void InsertPaths();
  void InsertFromCollection();
  void Update();
  void Delete();
  void ChangeIndexes();

  DocumentRule AnyRule();
  JsonModel AnyDocument();
  Condition AnyCondition(const Name& name);
  Path AnyPath();
  NewValue AnyValue();
  void Append(const Name& name, std::vector<JsonModel> documents, std::string sql);

  WorkloadState& state_;
  JsonModelMaker wild_documents_;
  std::map<Name, std::pair<int64_t, int64_t>> series_;  // First number and length of the last one.
};

}  // namespace scaup::test
