// Walks the whole tree, whatever its nodes are: a table is what has a "relname".
#include "parser/pg_query/named_tables.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"

namespace scaup {

namespace {

class NamedTables {
 public:
  explicit NamedTables(std::vector<TableName>& names) : names_(names) {}

  void Walk(TreeNode node) {
    CheckStack();
    const size_t visible = expressions_.size();
    const TreeNode with = node["withClause"];
    if (with) WalkExpressions(with);
    for (const std::string_view key : node.Keys()) {
      if (key == "relname") {
        Add({std::string(node.Text("schemaname")), std::string(node.Text("relname"))});
      } else if (key != "withClause") {
        for (const TreeNode& item : node.Items(key)) Walk(item);
        Walk(node[key]);
      }
    }
    expressions_.resize(visible);
  }

 private:
  // An expression sees those before it; under RECURSIVE also itself and those behind it.
  void WalkExpressions(TreeNode with) {
    const bool is_recursive = with.Flag("recursive");
    const std::vector<TreeNode> list = with.Items("ctes");
    if (is_recursive) {
      for (const TreeNode& item : list) expressions_.emplace_back(item.Body().Text("ctename"));
    }
    for (const TreeNode& item : list) {
      Walk(item.Body()["ctequery"]);
      if (!is_recursive) expressions_.emplace_back(item.Body().Text("ctename"));
    }
  }

  void Add(TableName name) {
    const bool is_expression =
        name.schema.empty() && std::ranges::find(expressions_, name.name) != expressions_.end();
    if (!is_expression && std::ranges::find(names_, name) == names_.end()) names_.push_back(std::move(name));
  }

  std::vector<TableName>& names_;
  std::vector<std::string> expressions_;  // names of common table expressions that are visible
};

}  // namespace

void AddTableNames(TreeNode root, std::vector<TableName>& names) { NamedTables(names).Walk(root); }

}  // namespace scaup
