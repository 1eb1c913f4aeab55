// Storage parameters: WITH (fillfactor = 90).
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// PostgreSQL's parameters of tables and indexes. They choose how PostgreSQL stores rows and when it cleans
/// up, which has no counterpart here. "oids" is what old dumps have.
constexpr std::string_view kNames[] = {
    "autosummarize",
    "buffering",
    "deduplicate_items",
    "fastupdate",
    "fillfactor",
    "gin_pending_list_limit",
    "log_autovacuum_min_duration",
    "oids",
    "pages_per_range",
    "parallel_workers",
    "toast_tuple_target",
    "user_catalog_table",
    "vacuum_cleanup_index_scale_factor",
    "vacuum_index_cleanup",
    "vacuum_truncate",
};

bool IsKnown(std::string_view name) {
  return name.starts_with("autovacuum_") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

void CheckStorageParameters(const StatementText& text, const std::vector<TreeNode>& parameters) {
  for (const TreeNode& item : parameters) {
    const TreeNode parameter = item["DefElem"];
    const std::string_view name = parameter.Text("defname"), space = parameter.Text("defnamespace");
    if (IsKnown(name) && (space.empty() || space == "toast")) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("unrecognized parameter \"{}{}{}\"", space, space.empty() ? "" : ".", name),
               text.Position(parameter.Integer("location")));
  }
}

}  // namespace scaup
