// Binds the SQL texts stored in the catalog, to find those that refer to something that no longer exists.
#include "binder/statement/catalog_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/domain_rules.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/function_use.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/binder.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

using Kind = BrokenText::Kind;

/// Binds the body of a function over NULLs.
void BindBody(const BinderContext& context, const FunctionEntryRef& function) {
  BindSession session(context);
  FunctionUse use{function, {}, 0};
  for (const FunctionArgument& input : function->inputs()) {
    use.arguments.push_back(std::make_unique<ConstantExpression>(Value(input.type)));
    if (input.default_text.empty()) continue;
    QueryLevel nothing;
    const StoredTextScope scope(session);
    ExpressionBinder(session, nothing, Clause::kSelect)
        .Bind(*Parser().ParseExpression(input.default_text, 0));
  }
  if (function->is_hosted()) return;
  if (function->result == FunctionResult::kRows) {
    BindFunctionRows(session, std::move(use));
    return;
  }
  QueryLevel level;
  ExpressionBinder binder(session, level, Clause::kSelect);
  BindFunctionValue(binder, std::move(use));
}

class TextChecker {
 public:
  explicit TextChecker(const BinderContext& context) : context_(context) {}
  /// Makes Check return the texts that call one of these functions instead. REQUIRES: the context collects
  /// calls.
  void LookFor(const std::vector<FunctionEntryRef>& functions) {
    SCAUP_CHECK(context_.called != nullptr);
    functions_ = &functions;
  }

  std::vector<BrokenText> Check(bool with_bodies) {
    for (const auto& schema : context_.catalog.Schemas(context_.transaction)) {
      for (const TableEntryRef& table : context_.catalog.List<TableEntry>(context_.transaction, *schema))
        CheckTable(table);
      for (const DomainEntryRef& domain : context_.catalog.List<DomainEntry>(context_.transaction, *schema))
        CheckDomain(*domain);
      for (const ViewEntryRef& view : context_.catalog.List<ViewEntry>(context_.transaction, *schema)) {
        Try({view, nullptr, Kind::kView, view->name, ""}, [&] {
          BindSession session(context_);
          BindViewQuery(session, view, 0);
        });
      }
    }
    for (const FunctionEntryRef& function : AllFunctions(context_.catalog, context_.transaction)) {
      if (!with_bodies) break;
      BrokenText text{nullptr, nullptr, Kind::kFunction, function->name, ""};
      text.function = function;
      if (!function->is_macro() && !function->is_trigger())
        Try(std::move(text), [&] { BindBody(context_, function); });
    }
    return std::move(broken_);
  }

 private:
  void CheckDomain(const DomainEntry& domain) {
    Try({nullptr, nullptr, Kind::kDomain, domain.name, ""}, [&] {
      BindDefault(context_, domain.default_text, domain.type);
      for (const CheckConstraint& check : domain.checks) BindDomainText(context_, domain, check.text, 0);
    });
  }

  void CheckTable(const TableEntryRef& table) {
    constexpr size_t kTableIndex = 0;
    for (const ColumnDefinition& column : table->columns) {
      if (!column.default_text.empty()) {
        Try({nullptr, table, Kind::kDefault, column.name, ""},
            [&] { BindDefault(context_, column.default_text, column.type); });
      }
      if (column.generated_text.empty()) continue;
      Try({nullptr, table, Kind::kGenerated, column.name, ""}, [&] {
        BindTableText(context_, *table, kTableIndex, column.generated_text, Clause::kGenerated, column.type);
      });
    }
    for (const CheckConstraint& check : table->constraints.checks) {
      Try({nullptr, table, Kind::kCheck, check.name, ""}, [&] {
        BindTableText(context_, *table, kTableIndex, check.text, Clause::kCheck, TypeId::kBoolean);
      });
    }
  }

  template <typename Bind>
  void Try(BrokenText text, Bind bind) {
    context_.functions.CheckInterrupt();
    if (functions_ != nullptr) context_.called->clear();
    try {
      bind();
    } catch (const Error& error) {
      text.error = error.message();
      if (functions_ == nullptr) broken_.push_back(std::move(text));
      if (functions_ == nullptr) return;
    }
    if (functions_ == nullptr || (text.function && Finds(*text.function))) return;
    const auto& called = *context_.called;
    const bool calls =
        std::any_of(called.begin(), called.end(), [&](const auto& one) { return Finds(*one); });
    if (calls) broken_.push_back(std::move(text));
  }

  bool Finds(const FunctionEntry& function) const {
    return std::any_of(functions_->begin(), functions_->end(), [&](const FunctionEntryRef& wanted) {
      return wanted->schema == function.schema && FunctionKey(*wanted) == FunctionKey(function);
    });
  }

  const BinderContext& context_;
  const std::vector<FunctionEntryRef>* functions_ = nullptr;
  std::vector<BrokenText> broken_;
};

}  // namespace

std::string BrokenText::Describe() const {
  switch (kind) {
    case Kind::kView: break;
    case Kind::kDefault:
      return fmt::format("default value of column \"{}\" of table \"{}\"", name, table->name);
    case Kind::kCheck: return fmt::format("constraint \"{}\" of table \"{}\"", name, table->name);
    case Kind::kFunction: return "function " + function->signature();
    case Kind::kDomain: return fmt::format("domain \"{}\"", name);
    case Kind::kGenerated: {
      const auto column = table->FindColumn(name);
      const bool is_hidden = column && table->columns[*column].is_hidden();
      return is_hidden ? fmt::format("an index on {} of table \"{}\"", name, table->name)
                       : fmt::format("generated column \"{}\" of table \"{}\"", name, table->name);
    }
  }
  return view->materialized.empty() ? fmt::format("view \"{}\"", name)
                                    : fmt::format("materialized view \"{}\"", view->materialized);
}

std::vector<BrokenText> FindBrokenTexts(const BinderContext& context) {
  return TextChecker(context).Check(false);
}

std::vector<BrokenText> FindBrokenTextsAndBodies(const BinderContext& context) {
  return TextChecker(context).Check(true);
}

std::vector<BrokenText> FindTextsCalling(const BinderContext& context,
                                         const std::vector<FunctionEntryRef>& functions) {
  std::vector<FunctionEntryRef> called;
  BinderContext collecting = context;
  collecting.called = &called;
  TextChecker checker(collecting);
  checker.LookFor(functions);
  return checker.Check(true);
}

}  // namespace scaup
