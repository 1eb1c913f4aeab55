// EXPLAIN: the plan of a statement as text.
#include "planner/statement/explain.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalExplain::LogicalExplain(size_t table_index_in, bool analyze_in, ExplainFormat format_in,
                               LogicalOperatorPtr child)
    : LogicalOperator(LogicalKind::kExplain),
      table_index(table_index_in),
      analyze(analyze_in),
      format(format_in) {
  children.push_back(std::move(child));
}

LogicalOperatorPtr LogicalExplain::Clone() const {
  return std::make_unique<LogicalExplain>(table_index, analyze, format, ClonePlan(*children[0]));
}

}  // namespace scaup
