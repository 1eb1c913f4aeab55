// Transforms OVER and the WINDOW clause.
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

// Bits of PostgreSQL's frameOptions.
constexpr int64_t kIsGiven = 0x00001;
constexpr int64_t kRows = 0x00004;
constexpr int64_t kGroups = 0x00008;
constexpr int64_t kStartUnboundedPreceding = 0x00020;
constexpr int64_t kEndUnboundedPreceding = 0x00040;
constexpr int64_t kStartUnboundedFollowing = 0x00080;
constexpr int64_t kEndUnboundedFollowing = 0x00100;
constexpr int64_t kStartPreceding = 0x00800;
constexpr int64_t kEndPreceding = 0x01000;
constexpr int64_t kStartFollowing = 0x02000;
constexpr int64_t kEndFollowing = 0x04000;
constexpr int64_t kExcludeCurrentRow = 0x08000;
constexpr int64_t kExcludeGroup = 0x10000;
constexpr int64_t kExcludeTies = 0x20000;

FrameBoundKind StartOf(int64_t bits) {
  if ((bits & kStartUnboundedPreceding) != 0) return FrameBoundKind::kUnboundedPreceding;
  if ((bits & kStartUnboundedFollowing) != 0) return FrameBoundKind::kUnboundedFollowing;
  if ((bits & kStartPreceding) != 0) return FrameBoundKind::kPreceding;
  if ((bits & kStartFollowing) != 0) return FrameBoundKind::kFollowing;
  return FrameBoundKind::kCurrentRow;
}

FrameBoundKind EndOf(int64_t bits) {
  if ((bits & kEndUnboundedPreceding) != 0) return FrameBoundKind::kUnboundedPreceding;
  if ((bits & kEndUnboundedFollowing) != 0) return FrameBoundKind::kUnboundedFollowing;
  if ((bits & kEndPreceding) != 0) return FrameBoundKind::kPreceding;
  if ((bits & kEndFollowing) != 0) return FrameBoundKind::kFollowing;
  return FrameBoundKind::kCurrentRow;
}

[[gnu::noinline]] ast::WindowFrame TransformFrame(const StatementText& text, TreeNode body) {
  const int64_t bits = body.Integer("frameOptions");
  ast::WindowFrame frame;
  if ((bits & kRows) != 0) frame.unit = FrameUnit::kRows;
  if ((bits & kGroups) != 0) frame.unit = FrameUnit::kGroups;
  frame.start.kind = StartOf(bits);
  frame.end.kind = EndOf(bits);
  frame.start.offset = TransformOptional(text, body["startOffset"]);
  frame.end.offset = TransformOptional(text, body["endOffset"]);
  if ((bits & kExcludeCurrentRow) != 0) frame.exclusion = FrameExclusion::kCurrentRow;
  if ((bits & kExcludeGroup) != 0) frame.exclusion = FrameExclusion::kGroup;
  if ((bits & kExcludeTies) != 0) frame.exclusion = FrameExclusion::kTies;
  return frame;
}

[[gnu::noinline]] void TransformWindow(const StatementText& text, TreeNode body,
                                       ast::WindowSpecification& window) {
  const int64_t location = body.Integer("location");
  RefuseOtherFields(text, body, "a window",
                    {"name", "refname", "partitionClause", "orderClause", "frameOptions", "startOffset",
                     "endOffset", "location"},
                    location);
  window.position = text.Position(location);
  window.base = body.Text("refname");
  if (body["partitionClause"]) window.partition_by = TransformExpressions(text, body, "partitionClause");
  if (body["orderClause"]) window.order_by = TransformOrderBy(text, body, "orderClause");
  if ((body.Integer("frameOptions") & kIsGiven) != 0) window.frame = TransformFrame(text, body);
}

}  // namespace

std::unique_ptr<ast::WindowSpecification> TransformOver(const StatementText& text, TreeNode body) {
  auto window = std::make_unique<ast::WindowSpecification>();
  TransformWindow(text, body, *window);
  if (const std::string_view name = body.Text("name"); !name.empty()) {
    window->base = name;
    window->is_reference = true;
  }
  return window;
}

std::vector<ast::WindowSpecification> TransformWindowClause(const StatementText& text, TreeNode select) {
  std::vector<ast::WindowSpecification> windows;
  for (const TreeNode& wrapped : select.Items("windowClause")) {
    const TreeNode body = wrapped["WindowDef"];
    if (text.HasMark(body.Integer("location"), TokenMark::kQualify)) continue;
    if (text.HasMark(body.Integer("location"), TokenMark::kPartition)) continue;
    ast::WindowSpecification& window = windows.emplace_back();
    TransformWindow(text, body, window);
    window.name = body.Text("name");
  }
  return windows;
}

std::vector<ast::WindowSpecification> TransformPartition(const StatementText& text, TreeNode select) {
  std::vector<ast::WindowSpecification> partition;
  for (const TreeNode& wrapped : select.Items("windowClause")) {
    const TreeNode body = wrapped["WindowDef"];
    if (text.HasMark(body.Integer("location"), TokenMark::kPartition))
      TransformWindow(text, body, partition.emplace_back());
  }
  return partition;
}

ast::ExpressionPtr TransformQualify(const StatementText& text, TreeNode select) {
  for (const TreeNode& wrapped : select.Items("windowClause")) {
    const TreeNode body = wrapped["WindowDef"];
    if (!text.HasMark(body.Integer("location"), TokenMark::kQualify)) continue;
    const std::vector<TreeNode> conditions = body.Items("partitionClause");
    if (conditions.size() != 1)
      SyntaxErrorAt(text, "QUALIFY takes one condition", LocationOf(conditions.back()));
    return TransformExpression(text, conditions[0]);
  }
  return nullptr;
}

}  // namespace scaup
