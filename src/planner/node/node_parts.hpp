// Parts that the operators of a plan share: bindings, names, copies, and the lines of EXPLAIN.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// Returns {table_index, 0}, {table_index, 1} and so on.
std::vector<ColumnBinding> NumberedBindings(size_t table_index, size_t count);
/// Returns the aliases of expressions; the text for those without one.
std::vector<std::string> NamesOf(const std::vector<ExpressionPtr>& expressions);
/// Returns 0, 1, 2 and so on.
std::vector<size_t> AllColumns(size_t count);
template <typename T>
void Append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}
void VisitAll(std::vector<ExpressionPtr>& expressions, const std::function<void(ExpressionPtr&)>& visit);
std::vector<ExpressionPtr> CloneAll(const std::vector<ExpressionPtr>& expressions);
/// Returns a copy; null for null.
ExpressionPtr CloneIfAny(const ExpressionPtr& expression);

/// Adds a line "label: a, b" for EXPLAIN, unless the list is empty. Long lists are cut.
void AddLine(std::vector<std::string>& lines, const char* label, const std::vector<std::string>& parts,
             const char* separator = ", ");
std::vector<std::string> Texts(const std::vector<ExpressionPtr>& expressions);
std::vector<std::string> KeyTexts(const std::vector<SortKey>& keys);
/// Returns the filter of a column of this name as SQL.
std::string FilterText(const std::string& name, const ScanFilter& filter);

}  // namespace scaup
