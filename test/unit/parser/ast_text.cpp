// Prints syntax trees as short text, so that tests can say in one line what they expect.
#include "ast_text.hpp"

#include "scaup/error.hpp"

namespace scaup {

namespace {

template <typename List, typename Print>
std::string Join(const List& list, Print print, const char* separator = ", ") {
  std::string text;
  for (const auto& item : list) {
    if (&item != &list.front()) text += separator;
    text += print(item);
  }
  return text;
}
std::string Names(const std::vector<std::string>& names, const char* separator = ".") {
  return Join(
      names, [](const std::string& name) { return name; }, separator);
}
std::string Maybe(const char* prefix, const ast::ExpressionPtr& expression) {
  return expression ? prefix + AstText(*expression) : "";
}
std::string List(const std::vector<ast::ExpressionPtr>& list) {
  return Join(list, [](const ast::ExpressionPtr& item) { return AstText(*item); });
}
std::string GroupingText(const ast::GroupingElement& element) {
  const char* const names[] = {"", "rollup", "cube", "sets"};
  if (element.kind != ast::GroupingElement::Kind::kExpressions) {
    return names[static_cast<size_t>(element.kind)] + std::string("(") +
           Join(element.elements, [](const auto& inner) { return GroupingText(inner); }) + ")";
  }
  if (element.expressions.size() == 1) return AstText(*element.expressions[0]);
  return "(" + List(element.expressions) + ")";
}
std::string OrderBy(const std::vector<ast::OrderByItem>& items) {
  return Join(items, [](const ast::OrderByItem& item) {
    return AstText(*item.expression) + (item.descending ? " desc" : "") +
           (item.nulls_first ? (*item.nulls_first ? " nulls first" : " nulls last") : "");
  });
}
std::string LiteralText(const ast::Literal& literal) {
  switch (literal.literal) {
    case ast::Literal::Kind::kNull: return "null";
    case ast::Literal::Kind::kBoolean: return literal.boolean ? "true" : "false";
    case ast::Literal::Kind::kInteger: return std::to_string(literal.integer);
    case ast::Literal::Kind::kNumber: return "number " + literal.text;
    case ast::Literal::Kind::kString: return "'" + literal.text + "'";
    case ast::Literal::Kind::kBitString: return "bits " + literal.text;
  }
  return "?";
}
std::string CallText(const ast::FunctionCall& call) {
  std::string text = (call.is_unpacked ? "*" : "") + Names(call.name) + "(" +
                     (call.distinct ? "distinct " : "") + (call.star ? "*" : "");
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i > 0) text += ", ";
    if (!call.argument_names[i].empty()) text += call.argument_names[i] + " => ";
    text += AstText(*call.arguments[i]);
  }
  if (!call.order_by.empty())
    text += (call.within_group ? " within group " : " order by ") + OrderBy(call.order_by);
  return text + Maybe(" filter ", call.filter) + (call.over ? " over" : "") + ")";
}
std::string CaseText(const ast::Case& node) {
  return "(case" + Maybe(" ", node.argument) +
         Join(
             node.branches,
             [](const ast::Case::Branch& branch) {
               return " when " + AstText(*branch.condition) + " then " + AstText(*branch.result);
             },
             "") +
         Maybe(" else ", node.otherwise) + ")";
}
std::string SubqueryText(const ast::Subquery& node) {
  const char* kinds[] = {"scalar", "exists", "any", "all", "array", "row"};
  return "(" + (node.child ? AstText(*node.child) + " " + node.symbol + " " : "") +
         kinds[static_cast<size_t>(node.subquery)] + " " + AstText(*node.query) + ")";
}
const char* Negated(bool negated) { return negated ? "not " : ""; }

}  // namespace

std::string AstText(const ast::TypeName& type) {
  std::string text = Names(type.names);
  if (!type.fields.empty()) {
    text += "(" +
            Join(type.fields, [](const auto& field) { return field.name + " " + AstText(field.type); }) + ")";
  }
  if (!type.modifiers.empty()) {
    text += "(" +
            Join(
                type.modifiers, [](int64_t modifier) { return std::to_string(modifier); }, ",") +
            ")";
  }
  for (size_t i = 0; i < type.array_dimensions; ++i) text += "[]";
  return text;
}

std::string AstText(const ast::Expression& node) {
  using ast::ExpressionKind;
  switch (node.kind) {
    case ExpressionKind::kLiteral: return LiteralText(node.As<ast::Literal>());
    case ExpressionKind::kColumn: return Names(node.As<ast::Column>().names);
    case ExpressionKind::kStar: {
      const auto& qualifier = node.As<ast::Star>().qualifier;
      return qualifier.empty() ? "*" : Names(qualifier) + ".*";
    }
    case ExpressionKind::kParameter: return "$" + std::to_string(node.As<ast::Parameter>().index);
    case ExpressionKind::kFunctionCall: return CallText(node.As<ast::FunctionCall>());
    case ExpressionKind::kOperator: {
      const auto& op = node.As<ast::Operator>();
      return "(" + op.symbol + Maybe(" ", op.left) + " " + AstText(*op.right) + ")";
    }
    case ExpressionKind::kAnd: return "(and " + List(node.As<ast::Conjunction>().children) + ")";
    case ExpressionKind::kOr: return "(or " + List(node.As<ast::Conjunction>().children) + ")";
    case ExpressionKind::kNot: return "(not " + AstText(*node.As<ast::Not>().child) + ")";
    case ExpressionKind::kIsNull: {
      const auto& test = node.As<ast::IsNull>();
      return "(" + AstText(*test.child) + " is " + Negated(test.negated) + "null)";
    }
    case ExpressionKind::kBooleanTest: {
      const char* names[] = {"true", "false", "unknown"};
      const auto& test = node.As<ast::BooleanTest>();
      return "(" + AstText(*test.child) + " is " + Negated(test.negated) +
             names[static_cast<size_t>(test.test)] + ")";
    }
    case ExpressionKind::kCast: {
      const auto& cast = node.As<ast::Cast>();
      return (cast.is_try ? "try_cast(" : "cast(") + AstText(*cast.child) + " as " + AstText(cast.type) + ")";
    }
    case ExpressionKind::kCase: return CaseText(node.As<ast::Case>());
    case ExpressionKind::kInList: {
      const auto& in = node.As<ast::InList>();
      return "(" + AstText(*in.child) + " " + Negated(in.negated) + "in " + List(in.values) + ")";
    }
    case ExpressionKind::kBetween: {
      const auto& between = node.As<ast::Between>();
      return "(" + AstText(*between.child) + " " + Negated(between.negated) + "between " +
             (between.symmetric ? "symmetric " : "") + AstText(*between.low) + " and " +
             AstText(*between.high) + ")";
    }
    case ExpressionKind::kLike: {
      const char* names[] = {"like", "ilike", "similar"};
      const auto& like = node.As<ast::Like>();
      return "(" + AstText(*like.child) + " " + Negated(like.negated) +
             names[static_cast<size_t>(like.like)] + " " + AstText(*like.pattern) +
             Maybe(" escape ", like.escape) + ")";
    }
    case ExpressionKind::kSubquery: return SubqueryText(node.As<ast::Subquery>());
    case ExpressionKind::kArray: return "array[" + List(node.As<ast::Array>().elements) + "]";
    case ExpressionKind::kArrayComparison: {
      const auto& comparison = node.As<ast::ArrayComparison>();
      return "(" + AstText(*comparison.child) + " " + comparison.symbol +
             (comparison.is_any ? " any " : " all ") + AstText(*comparison.array) + ")";
    }
    case ExpressionKind::kSubscript: {
      const auto& subscript = node.As<ast::Subscript>();
      return AstText(*subscript.child) + "[" + Maybe("", subscript.index) + Maybe("", subscript.low) +
             (subscript.is_slice ? ":" : "") + Maybe("", subscript.high) + "]";
    }
    case ExpressionKind::kField:
      return "(" + AstText(*node.As<ast::Field>().child) + ")." + node.As<ast::Field>().name;
    case ExpressionKind::kRow: {
      const auto& row = node.As<ast::Row>();
      return "row(" + (row.names.empty() ? "" : Names(row.names, ", ") + ": ") + List(row.values) + ")";
    }
    case ExpressionKind::kCollate: {
      const auto& collate = node.As<ast::Collate>();
      return "(" + AstText(*collate.child) + " collate " + Names(collate.collation.names, ".") + ")";
    }
    case ExpressionKind::kLambda: {
      const auto& lambda = node.As<ast::Lambda>();
      return "(lambda " + Names(lambda.parameters, ", ") + ": " + AstText(*lambda.body) + ")";
    }
    case ExpressionKind::kInterval: {
      const auto& interval = node.As<ast::IntervalLiteral>();
      return "interval '" + interval.text + "'" + (interval.unit.empty() ? "" : " " + interval.unit);
    }
  }
  return "?";
}

std::string AstText(const ast::TableRef& table) {
  std::string text;
  switch (table.kind) {
    case ast::TableRefKind::kTable: {
      const auto& named = table.As<ast::NamedTable>();
      text = (named.schema.empty() ? "" : named.schema + ".") + named.name;
      break;
    }
    case ast::TableRefKind::kJoin: {
      const char* names[] = {"inner", "left", "right",      "full", "cross",
                             "semi",  "anti", "positional", "asof", "asof left"};
      const auto& join = table.As<ast::Join>();
      text = "(" + AstText(*join.left) + (join.natural ? " natural " : " ") +
             names[static_cast<size_t>(join.join)] + " " + AstText(*join.right) +
             Maybe(" on ", join.condition) +
             (join.using_columns.empty() ? "" : " using " + Names(join.using_columns, ",")) +
             (join.using_alias.empty() ? "" : " as " + join.using_alias) + ")";
      break;
    }
    case ast::TableRefKind::kSubquery: {
      const auto& subquery = table.As<ast::SubqueryTable>();
      text = std::string(subquery.lateral ? "lateral " : "") + "{" + AstText(*subquery.query) + "}";
      break;
    }
    case ast::TableRefKind::kFunction: {
      const auto& function = table.As<ast::FunctionTable>();
      text = (function.lateral ? "lateral " : "") + AstText(*function.call);
      for (const auto& call : function.further_calls) text += " beside " + AstText(*call);
      if (function.with_ordinality) text += " with ordinality";
      break;
    }
    case ast::TableRefKind::kPivot: {
      const auto& pivot = table.As<ast::PivotTable>();
      text = "pivot {" + AstText(*pivot.grouped) + "}";
      for (const ast::PivotAxis& axis : pivot.axes) {
        text += " for " + (axis.found ? "{" + AstText(*axis.found) + "}" : "");
        text += Join(axis.values, [](const ast::PivotValue& value) {
          return List(value.parts) + (value.name.empty() ? "" : " as " + value.name);
        });
      }
      break;
    }
  }
  if (!table.alias.empty()) text += " as " + table.alias;
  if (!table.column_aliases.empty()) text += "(" + Names(table.column_aliases, ",") + ")";
  return text;
}

std::string AstText(const ast::SelectStatement& query) {
  std::string text = query.with_recursive ? "recursive " : "";
  for (const auto& cte : query.with) {
    text += "with " + cte.name +
            (cte.column_aliases.empty() ? "" : "(" + Names(cte.column_aliases, ",") + ")") +
            (cte.materialized ? (*cte.materialized ? " materialized" : " not materialized") : "") + " {" +
            (cte.query ? AstText(*cte.query) : "a change") + "} ";
  }
  if (query.set_operation != ast::SetOperation::kNone) {
    const char* names[] = {"", "union", "intersect", "except"};
    text += names[static_cast<size_t>(query.set_operation)] + std::string(query.set_all ? " all" : "") +
            (query.by_name ? " by name[" : "[") +
            Join(
                query.operands, [](const auto& operand) { return AstText(*operand); }, "; ") +
            "]";
  } else if (!query.values.empty()) {
    text += "values " + Join(query.values, [](const auto& row) { return "(" + List(row) + ")"; });
  } else {
    text += "select ";
    if (!query.distinct_on.empty()) {
      text += "distinct on (" + List(query.distinct_on) + ") ";
    } else if (query.distinct) {
      text += "distinct ";
    }
    text += Join(query.items, [](const ast::SelectItem& item) {
      return AstText(*item.expression) + (item.alias.empty() ? "" : " as " + item.alias);
    });
    if (!query.from.empty())
      text += " from " + Join(query.from, [](const auto& table) { return AstText(*table); });
    text += Maybe(" where ", query.where);
    if (!query.group_by.empty()) {
      text += std::string(" group by ") + (query.group_distinct ? "distinct " : "") +
              Join(query.group_by, [](const auto& element) { return GroupingText(element); });
    }
    text += Maybe(" having ", query.having);
  }
  if (!query.order_by.empty()) text += " order by " + OrderBy(query.order_by);
  return text + Maybe(" limit ", query.limit) + Maybe(" offset ", query.offset);
}

ast::StatementPtr ParseOne(const std::string& sql, size_t max_depth) {
  std::vector<ast::StatementPtr> statements = Parser(max_depth).Parse(sql);
  if (statements.size() != 1) throw std::runtime_error("expected one statement: " + sql);
  return std::move(statements.front());
}

std::string QueryText(const std::string& sql) {
  const ast::StatementPtr statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kSelect) return "not a query";
  return AstText(statement->As<ast::SelectStatement>());
}

std::string ExpressionText(const std::string& expression) {
  const ast::StatementPtr statement = ParseOne("SELECT " + expression);
  return AstText(*statement->As<ast::SelectStatement>().items.at(0).expression);
}

std::string ErrorText(const std::string& sql, size_t max_depth) {
  try {
    Parser(max_depth).Parse(sql);
  } catch (const Error& error) {
    return std::string(ErrorKindName(error.kind())) + " " + error.sqlstate() + " " +
           (error.position() ? std::to_string(*error.position()) : "-") + ": " + error.message();
  }
  return "no error";
}

std::string Repeat(const std::string& text, size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace scaup
