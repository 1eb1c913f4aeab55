// The dialect step: rewrites Scaup's syntax extensions into statements of PostgreSQL's grammar.
#include "parser/dialect/dialect.hpp"

#include <utility>

#include "common/throw.hpp"
#include "parser/dialect/extensions.hpp"

namespace scaup {

StatementText ApplyDialect(std::string_view sql, std::span<const Token> tokens) {
  SCAUP_ASSERT(!tokens.empty() && tokens.back().origin_end <= sql.size());
  const StatementTokens statement(sql, tokens);
  Rewriter rewriter(statement);
  std::vector<std::unique_ptr<FormRewriter>> forms;
  // Forms are set first, because statements have forms within them, too.
  for (const SyntaxExtension& extension : AllSyntaxExtensions()) {
    if (extension.make_form == nullptr) continue;
    if (auto form = extension.make_form(statement)) forms.push_back(std::move(form));
  }
  rewriter.SetForms(std::move(forms));
  for (const SyntaxExtension& extension : AllSyntaxExtensions()) {
    if (extension.rewrite_statement != nullptr && extension.rewrite_statement(rewriter))
      return rewriter.TakeResult();
  }
  rewriter.Rewrite(0, statement.size(), 0);
  return rewriter.TakeResult();
}

}  // namespace scaup
