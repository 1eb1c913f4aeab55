// What is asked of every collection, besides its documents as they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "unit/document/document_model.hpp"

namespace scaup::test {

/// A query, and its answer as text (values with `|` between, \N for NULL).
struct DocumentQuestion {
  /// A select list, and what comes after FROM and the collection.
  const char* select;
  const char* rest;
  /// Appends the row of a document, if it has one.
  void (*row)(const JsonModel& document, std::vector<std::string>& rows);
};

/// Questions that read paths, each of which columns, reservoir and whole documents must answer alike.
const std::vector<DocumentQuestion>& DocumentQuestions();

/// The value at a path as CAST to VARCHAR gives it; \N for what is not there and null.
std::string PathText(const JsonModel& document, const std::vector<std::string>& path);
/// Whether the value at the path is a number of which `passes` is true.
bool IsNumber(const JsonModel* value, const std::function<bool(double)>& passes);
/// Whether one of the strings at the value and below it has the word, in whatever case.
bool HasWord(const JsonModel* value, const std::string& word);

}  // namespace scaup::test
