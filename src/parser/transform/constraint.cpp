// Transforms columns of CREATE TABLE and ALTER TABLE, and constraints.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

namespace scaup {

namespace {

using ConstraintKind = ast::TableConstraint::Kind;

/// Returns the text in the first brackets after `location`, for CHECK (...) and GENERATED ALWAYS AS (...).
std::string TextInBrackets(const StatementText& text, int64_t location) {
  const size_t open = text.FindForward(TokenType::kLeftParen, text.TokenIndex(location));
  const size_t close = text.Closing(open);
  return close > open + 1 ? text.Origin(open + 1, close - 1) : std::string();
}

ast::ReferentialAction ActionOf(std::string_view code) {
  if (code == "r") return ast::ReferentialAction::kRestrict;
  if (code == "c") return ast::ReferentialAction::kCascade;
  if (code == "n") return ast::ReferentialAction::kSetNull;
  if (code == "d") return ast::ReferentialAction::kSetDefault;
  return ast::ReferentialAction::kNoAction;
}

void TransformForeignKey(const StatementText& text, TreeNode body, ast::TableConstraint& constraint) {
  const int64_t location = body.Integer("location");
  constraint.kind = ConstraintKind::kForeignKey;
  constraint.columns = body.Strings("fk_attrs");
  TransformRangeVar(text, body["pktable"], constraint.referenced);
  constraint.referenced_columns = body.Strings("pk_attrs");
  constraint.on_delete = ActionOf(body.Text("fk_del_action"));
  constraint.on_update = ActionOf(body.Text("fk_upd_action"));
  if (body["fk_del_set_cols"]) Refuse(text, "a column list after SET NULL or SET DEFAULT", location);
  // For a single column, MATCH FULL is the same as MATCH SIMPLE.
  const std::string_view match = body.Text("fk_matchtype");
  if (match == "p" || (match == "f" && constraint.columns.size() > 1))
    Refuse(text, match == "p" ? "MATCH PARTIAL" : "MATCH FULL of several columns", location);
}

}  // namespace

std::string DefaultText(const StatementText& text, int64_t location, int64_t next_location) {
  const size_t first = text.FindForward(TokenType::kDefault, text.TokenIndex(location)) + 1;
  size_t open = 0;
  size_t last = first;
  for (size_t i = first; i < text.tokens.size(); ++i) {
    const Token& token = text.tokens[i];
    if (next_location >= 0 && token.start >= static_cast<uint64_t>(next_location)) break;
    if (open == 0 && (token.Is(',') || token.Is(')'))) break;
    if (token.Is('(') || token.Is('[')) ++open;
    if (token.Is(')') || token.Is(']')) --open;
    last = i;
  }
  return text.Origin(first, last);
}

ast::TableConstraint TransformTableConstraint(const StatementText& text, TreeNode body) {
  const int64_t location = body.Integer("location");
  const std::string_view type = body.Text("contype");
  ast::TableConstraint constraint;
  constraint.deferrable = body.Flag("deferrable");
  constraint.initially_deferred = body.Flag("initdeferred");
  constraint.not_valid = body.Flag("skip_validation");
  constraint.name = body.Text("conname");
  constraint.position = text.Position(location);
  if (type == "CONSTR_CHECK") {
    RefuseOtherFields(text, body, "CHECK",
                      {"contype", "conname", "location", "initially_valid", "skip_validation", "raw_expr"},
                      location);
    constraint.kind = ConstraintKind::kCheck;
    constraint.check = TransformExpression(text, body["raw_expr"]);
    constraint.check_text = TextInBrackets(text, location);
  } else if (type == "CONSTR_UNIQUE" || type == "CONSTR_PRIMARY") {
    RefuseOtherFields(text, body, type == "CONSTR_UNIQUE" ? "UNIQUE" : "PRIMARY KEY",
                      {"contype", "conname", "location", "initially_valid", "keys", "options", "deferrable",
                       "initdeferred"},
                      location);
    CheckStorageParameters(text, body.Items("options"));
    constraint.kind = type == "CONSTR_UNIQUE" ? ConstraintKind::kUnique : ConstraintKind::kPrimaryKey;
    constraint.columns = body.Strings("keys");
  } else if (type == "CONSTR_FOREIGN") {
    RefuseOtherFields(text, body, "a foreign key",
                      {"contype", "conname", "location", "initially_valid", "pktable", "fk_attrs", "pk_attrs",
                       "fk_matchtype", "fk_upd_action", "fk_del_action", "fk_del_set_cols", "deferrable",
                       "initdeferred", "skip_validation"},
                      location);
    TransformForeignKey(text, body, constraint);
  } else {
    Refuse(text, type == "CONSTR_EXCLUSION" ? "EXCLUDE" : "this constraint", location);
  }
  return constraint;
}

void TransformIdentity(const StatementText& text, TreeNode constraint, ast::ColumnDefinition& column) {
  column.identity =
      constraint.Text("generated_when") == "a" ? ast::Identity::kAlways : ast::Identity::kByDefault;
  column.identity_options = TransformSequenceOptions(text, constraint);
}

namespace {

/// DEFERRABLE and INITIALLY after one constraint of a column, with PostgreSQL's rules for them.
struct DeferralWords {
  bool has_deferrable = false;
  bool has_initially = false;

  /// `constraint` is that before the words; null if it has no use for them.
  void Apply(const StatementText& text, std::string_view type, int64_t location,
             ast::TableConstraint* constraint) {
    const bool is_deferrable = type == "CONSTR_ATTR_DEFERRABLE", is_deferred = type == "CONSTR_ATTR_DEFERRED";
    const bool is_first_word = is_deferrable || type == "CONSTR_ATTR_NOT_DEFERRABLE";
    if (constraint == nullptr) {
      const char* words = is_deferrable   ? "DEFERRABLE"
                          : is_first_word ? "NOT DEFERRABLE"
                          : is_deferred   ? "INITIALLY DEFERRED"
                                          : "INITIALLY IMMEDIATE";
      SyntaxErrorAt(text, fmt::format("misplaced {} clause", words), location);
    }
    if (is_first_word ? has_deferrable : has_initially) {
      SyntaxErrorAt(text,
                    fmt::format("multiple {} clauses not allowed",
                                is_first_word ? "DEFERRABLE/NOT DEFERRABLE" : "INITIALLY IMMEDIATE/DEFERRED"),
                    location);
    }
    if (is_first_word) {
      has_deferrable = true;
      constraint->deferrable = is_deferrable;
    } else {
      has_initially = true;
      constraint->initially_deferred = is_deferred;
      if (is_deferred && !has_deferrable) constraint->deferrable = true;
    }
    if (constraint->initially_deferred && !constraint->deferrable)
      SyntaxErrorAt(text, "constraint declared INITIALLY DEFERRED must be DEFERRABLE", location);
  }
};

/// Reads the constraints of one column in the order in which they are written.
class ColumnReader {
 public:
  ColumnReader(const StatementText& text, ast::ColumnDefinition& column,
               std::vector<ast::TableConstraint>& constraints)
      : text_(text), column_(column), constraints_(constraints) {}

  void Read(TreeNode constraint, int64_t next_location) {
    const std::string_view type = constraint.Text("contype");
    const int64_t begin = constraint.Integer("location");
    const size_t count = constraints_.size();
    if (type == "CONSTR_NOTNULL") {
      column_.not_null = true;
    } else if (type == "CONSTR_NULL") {
      is_null_ = true;
    } else if (type == "CONSTR_DEFAULT") {
      if (column_.default_value || column_.is_serial)
        SyntaxErrorAt(text_, "multiple default values for one column", begin);
      column_.default_value = TransformExpression(text_, constraint["raw_expr"]);
      column_.default_text = DefaultText(text_, begin, next_location);
    } else if (type == "CONSTR_GENERATED") {
      if (column_.generated) SyntaxErrorAt(text_, "multiple generation clauses for one column", begin);
      column_.generated = TransformExpression(text_, constraint["raw_expr"]);
      column_.generated_text = TextInBrackets(text_, begin);
    } else if (type == "CONSTR_IDENTITY") {
      if (column_.identity != ast::Identity::kNone)
        SyntaxErrorAt(text_, "multiple identity specifications for one column", begin);
      TransformIdentity(text_, constraint, column_);
      column_.not_null = true;
    } else if (type.starts_with("CONSTR_ATTR_")) {
      attributes_.Apply(text_, type, begin, key_ < constraints_.size() ? &constraints_[key_] : nullptr);
      return;
    } else {
      constraints_.push_back(TransformTableConstraint(text_, constraint));
      if (constraints_.back().kind != ConstraintKind::kCheck) constraints_.back().columns = {column_.name};
      if (constraints_.back().kind == ConstraintKind::kPrimaryKey) is_key_ = true;
    }
    const bool is_new_key = constraints_.size() > count && constraints_.back().kind != ConstraintKind::kCheck;
    key_ = is_new_key ? constraints_.size() - 1 : SIZE_MAX;
    attributes_ = DeferralWords();
    Check(begin);
  }

 private:
  void Check(int64_t begin) const {
    if (is_null_ && (column_.not_null || is_key_))
      SyntaxErrorAt(text_, "conflicting NULL and NOT NULL for one column", begin);
    const bool has_default = column_.default_value || column_.is_serial;
    const bool is_identity = column_.identity != ast::Identity::kNone;
    if (has_default + is_identity + (column_.generated != nullptr) > 1) {
      SyntaxErrorAt(text_, "a column can have only one of DEFAULT, IDENTITY and a generation expression",
                    begin);
    }
  }

  const StatementText& text_;
  ast::ColumnDefinition& column_;
  std::vector<ast::TableConstraint>& constraints_;
  size_t key_ = SIZE_MAX;  // the constraint before this one, if DEFERRABLE may follow it
  DeferralWords attributes_;
  bool is_null_ = false;
  bool is_key_ = false;
};

struct SerialName {
  std::string_view name;
  std::string_view type;
};
constexpr SerialName kSerialNames[] = {
    {"serial", "int4"},  {"bigserial", "int8"}, {"smallserial", "int2"},
    {"serial4", "int4"}, {"serial8", "int8"},   {"serial2", "int2"},
};

void RecogniseSerial(ast::ColumnDefinition& column) {
  if (column.type.names.size() != 1 || column.type.array_dimensions > 0 || !column.type.modifiers.empty())
    return;
  for (const SerialName& serial : kSerialNames) {
    if (column.type.names[0] != serial.name) continue;
    column.type.names[0] = serial.type;
    column.is_serial = column.not_null = true;
    return;
  }
}

}  // namespace

ast::ColumnDefinition TransformColumnDefinition(const StatementText& text, TreeNode body,
                                                std::vector<ast::TableConstraint>& constraints) {
  const int64_t location = body.Integer("location");
  RefuseOtherFields(text, body, "a column",
                    {"colname", "typeName", "collClause", "is_local", "constraints", "location"}, location);
  ast::ColumnDefinition column;
  column.position = text.Position(location);
  column.name = body.Text("colname");
  column.type = TransformTypeName(text, body["typeName"]);
  column.collation = TransformCollation(text, body["collClause"]);
  RecogniseSerial(column);
  // COLLATE may be written between the constraints, where it ends the text of a default.
  const int64_t collation = body["collClause"] ? body["collClause"].Integer("location") : int64_t{-1};
  ColumnReader reader(text, column, constraints);
  const std::vector<TreeNode> nodes = body.Items("constraints");
  for (size_t i = 0; i < nodes.size(); ++i) {
    int64_t next = i + 1 < nodes.size() ? nodes[i + 1]["Constraint"].Integer("location") : int64_t{-1};
    const bool comes_first = next < 0 || collation < next;
    if (collation > nodes[i]["Constraint"].Integer("location") && comes_first) next = collation;
    reader.Read(nodes[i]["Constraint"], next);
  }
  return column;
}

}  // namespace scaup
