// Transforms CREATE DOMAIN and ALTER DOMAIN.
#include <fmt/format.h>

#include "parser/transform/transform.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

using DomainAction = ast::AlterDomainStatement::Action;

/// Sets the name, which follows CREATE DOMAIN or ALTER DOMAIN; libpg_query omits its location.
void SetDomainName(const StatementText& text, std::vector<std::string> parts, ast::NamedTable& name) {
  SetDottedName(text, std::move(parts), text.Location(2), name);
}

ast::TableConstraint TransformDomainCheck(const StatementText& text, TreeNode constraint) {
  const std::string_view type = constraint.Text("contype");
  const char* const other = type == "CONSTR_UNIQUE"    ? "unique"
                            : type == "CONSTR_PRIMARY" ? "primary key"
                            : type == "CONSTR_FOREIGN" ? "foreign key"
                                                       : nullptr;
  if (other != nullptr) {
    SyntaxErrorAt(text, fmt::format("{} constraints not possible for domains", other),
                  constraint.Integer("location"));
  }
  if (type != "CONSTR_CHECK")
    Refuse(text, "a constraint of a domain other than NOT NULL and CHECK", constraint.Integer("location"));
  return TransformTableConstraint(text, constraint);
}

void TransformDomainConstraint(const StatementText& text, TreeNode constraint, int64_t next_location,
                               ast::CreateDomainStatement& create) {
  const std::string_view type = constraint.Text("contype");
  const int64_t location = constraint.Integer("location");
  if (type == "CONSTR_NOTNULL" || type == "CONSTR_NULL") {
    if (create.nullability && *create.nullability != (type == "CONSTR_NULL"))
      SyntaxErrorAt(text, "conflicting NULL/NOT NULL constraints", location);
    create.nullability = type == "CONSTR_NULL";
  } else if (type == "CONSTR_DEFAULT") {
    if (create.default_value) SyntaxErrorAt(text, "multiple default expressions", location);
    create.default_value = TransformExpression(text, constraint["raw_expr"]);
    create.default_text = DefaultText(text, location, next_location);
  } else {
    create.checks.push_back(TransformDomainCheck(text, constraint));
  }
}

DomainAction DomainActionOf(const StatementText& text, TreeNode body) {
  const std::string_view subtype = body.Text("subtype");
  if (subtype == "T") return body["def"] ? DomainAction::kSetDefault : DomainAction::kDropDefault;
  if (subtype == "O") return DomainAction::kSetNotNull;
  if (subtype == "N") return DomainAction::kDropNotNull;
  if (subtype == "C") return DomainAction::kAddConstraint;
  if (subtype == "X") return DomainAction::kDropConstraint;
  Refuse(text, "VALIDATE CONSTRAINT of a domain, whose constraints are valid", text.Location(3));
}

}  // namespace

ast::StatementPtr TransformCreateDomain(const StatementText& text, TreeNode body) {
  auto create = std::make_unique<ast::CreateDomainStatement>();
  SetDomainName(text, body.Strings("domainname"), create->domain);
  RefuseOtherFields(text, body, "CREATE DOMAIN", {"domainname", "typeName", "collClause", "constraints"},
                    text.Location(2));
  create->type = TransformTypeName(text, body["typeName"]);
  if (const TreeNode collation = body["collClause"])
    create->collation =
        ast::Collation{collation.Strings("collname"), text.Position(collation.Integer("location"))};
  const std::vector<TreeNode> constraints = body.Items("constraints");
  for (size_t i = 0; i < constraints.size(); i++) {
    const int64_t next =
        i + 1 < constraints.size() ? constraints[i + 1]["Constraint"].Integer("location") : -1;
    TransformDomainConstraint(text, constraints[i]["Constraint"], next, *create);
  }
  return create;
}

ast::StatementPtr TransformAlterDomain(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterDomainStatement>();
  SetDomainName(text, body.Strings("typeName"), alter->domain);
  alter->action = DomainActionOf(text, body);
  alter->name = body.Text("name");
  alter->if_exists = body.Flag("missing_ok");
  if (alter->action == DomainAction::kSetDefault) {
    alter->default_value = TransformExpression(text, body["def"]);
    alter->default_text = text.OriginBehind(text.FindForward(TokenType::kDefault));
  }
  if (alter->action == DomainAction::kAddConstraint)
    alter->checks.push_back(TransformDomainCheck(text, body["def"]["Constraint"]));
  return alter;
}

ast::StatementPtr TransformMoveDomain(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterDomainStatement>();
  SetDomainName(text, body["object"]["List"].Strings("items"), alter->domain);
  const bool has_name = static_cast<bool>(body["newname"]);
  alter->name = body.Text("subname");
  alter->action = !has_name             ? DomainAction::kSetSchema
                  : alter->name.empty() ? DomainAction::kRename
                                        : DomainAction::kRenameConstraint;
  alter->new_name = has_name ? body.Text("newname") : SchemaNamed(body.Text("newschema"));
  return alter;
}

}  // namespace scaup
