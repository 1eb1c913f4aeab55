// Foreign arguments: the rows of one call of a function of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "execution/foreign/foreign_function.hpp"

namespace scaup {

/// The results of a call for the values of dictionaries, as a dictionary. Used by one thread.
class EntryResults {
 public:
  /// Reads `count` results, and adds a NULL behind them.
  EntryResults(const ForeignColumn& results, const LogicalType& type, size_t count, MemoryTracker& memory);
  /// Makes `output` the results places[0 .. count), in which null_place() stands for NULL. `pays_off`: rows
  /// repeat results often enough that work on each result once pays off.
  void Read(const uint32_t* places, size_t count, bool pays_off, Vector& output) const;
  uint32_t null_place() const { return count_; }

 private:
  struct Values;
  std::shared_ptr<const Values> values_;
  uint32_t count_;
};

/// The rows of one call, without those that need none: rows with a NULL among the arguments, if these give
/// NULL, and further rows with the same entry of a dictionary, if the function is immutable. Arguments that
/// are constants are taken from the first row. Used by one thread.
class ForeignArguments {
 public:
  /// `types` are those of all arguments. Borrows the data and the memory.
  ForeignArguments(const ForeignFunctionData& data, const std::vector<LogicalType>& types,
                   const ResultMemory& memory);

  /// Adds rows, whose columns are all arguments, and returns how many bytes they take about.
  size_t Append(std::span<Vector> arguments, size_t count);
  size_t row_count() const { return row_count_; }
  /// Calls the function. No rows can be added afterwards.
  void Call(const FunctionContext& context);
  /// Writes the results of the rows [begin, begin + count), at most 1024. REQUIRES: after Call.
  void Read(size_t begin, size_t count, Vector& output);

 private:
  void TakeConstants(std::span<Vector> arguments, size_t count);
  /// Makes the places of the rows so far explicit.
  void NeedPlaces();
  size_t Give(DataChunk& rows);
  void OmitNulls(DataChunk& rows);
  bool HasUsefulEntries(const Vector& column) const;
  void KeepNewEntries(DataChunk& rows);
  void ReadOmitting(size_t begin, size_t count, Vector& output) const;

  const ForeignFunction& function_;
  const std::vector<bool> is_constant_;  // by argument; empty if none is
  std::vector<size_t> columns_;          // the arguments that are columns
  std::vector<size_t> constants_;        // the others
  std::vector<LogicalType> column_types_;
  ResultAppender given_;
  ResultAppender given_constants_;
  bool has_null_constant_ = false;
  size_t row_count_ = 0;
  /// For each row the number of its arguments among those given, or kOmittedPlace. Without `has_places_` the
  /// numbers are the same, and this is empty.
  std::vector<uint32_t> places_;
  bool has_places_ = false;
  /// The last dictionary, which is kept alive, and the places of its entries, or kOmittedPlace, or
  /// kUnknownPlace.
  Dictionary dictionary_;
  std::vector<uint32_t> places_of_entries_;
  bool has_entries_ = false;
  std::unique_ptr<ForeignColumn> results_;
  std::unique_ptr<EntryResults> entry_results_;
  MemoryTracker& memory_;
};

}  // namespace scaup
