// Executes texts of several statements as PostgreSQL does.
#include "simple_query.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "copy.hpp"
#include "report.hpp"
#include "result_sender.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::server {

namespace {

using Kind = StatementInfo::Kind;

/// Executes one statement; `parsed` is its text, if it is known to be parsed. Returns the tag that ends its
/// answer.
std::string RunStatement(const StatementInfo& info, std::string_view text, std::optional<ParsedText> parsed,
                         ClientState& client, ParsedStatements& statements) {
  if (info.kind == Kind::kBegin || info.kind == Kind::kCommit || info.kind == Kind::kRollback)
    return client.scope.Run(info, text);
  if (info.kind == Kind::kCopyStream) return RunCopy(*info.copy, client);
  if (info.kind == Kind::kDeallocate && !DropDeallocated(info, statements)) return info.command;
  StreamingResult stream =
      parsed ? client.connection.Stream(std::move(*parsed)) : client.connection.Stream(text);
  const bool has_rows = stream.has_rows();
  uint64_t sent = 0;
  if (has_rows) {
    const std::vector<Format> formats(stream.columns().size(), Format::kText);
    AppendRowDescription(stream.columns(), formats, client.channel.out());
    sent = SendRows(stream, formats, client.channel);
  }
  return CommandTag(info, has_rows, sent, stream.rows_changed());
}

}  // namespace

void RunSimpleQuery(std::string_view sql, ClientState& client, ParsedStatements& statements) {
  std::string& out = client.channel.out();
  size_t offset = 0;
  try {
    std::optional<ParsedText> text;
    const StatementInfo* const known = client.texts.Find(sql);
    if (known == nullptr) text = client.connection.Parse(sql);
    // Copied, as the text that they are a part of is handed over.
    std::vector<StatementInfo> parsed;
    if (text) parsed = text->statements();
    const std::span<const StatementInfo> infos = known ? std::span(known, 1) : std::span(parsed);
    if (infos.empty()) {
      const MessageScope empty('I', out);
      return;
    }
    const bool is_single = infos.size() == 1;
    if (is_single && known == nullptr) client.texts.Add(infos[0]);
    for (size_t i = 0; i < infos.size(); i++) {
      const StatementInfo& info = infos[i];
      client.settings.Note(info);
      client.scope.Before(info, is_single);
      // Positions of errors count in the text that is executed; COPY knows those of the whole text.
      offset = is_single || info.kind == Kind::kCopyStream ? 0 : info.position;
      const std::string_view part = is_single ? sql : sql.substr(info.position, info.length);
      const std::string tag =
          RunStatement(info, part, is_single ? std::move(text) : std::nullopt, client, statements);
      // The last answer says that all is committed.
      if (i + 1 == infos.size()) client.scope.Finish();
      AppendCommandComplete(tag, out);
    }
  } catch (...) {
    const Error error = CurrentError();
    client.scope.Fail();
    AppendError(error, sql, offset, out);
  }
}

}  // namespace scaup::server
