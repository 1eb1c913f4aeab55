// Streams results to clients.
#include "result_sender.hpp"

namespace scaup::server {

uint64_t SendRows(StreamingResult& stream, std::span<const Format> formats, Channel& channel) {
  RowEncoder encoder(stream.columns(), formats);
  uint64_t count = 0;
  QueryResult rows;
  while (stream.Fetch(rows)) {
    encoder.Begin(rows);
    for (size_t row = 0; row < rows.row_count(); row++) {
      encoder.AppendRow(row, channel.out());
      channel.FlushIfLarge();
    }
    count += rows.row_count();
  }
  return count;
}

std::string CommandTag(const StatementInfo& info, bool has_rows, uint64_t rows_sent, uint64_t rows_changed) {
  using Kind = StatementInfo::Kind;
  if (info.kind == Kind::kQuery)
    return info.command + " " + std::to_string(has_rows ? rows_sent : rows_changed);
  if (info.kind == Kind::kChange) {
    // The zero stands where a row's number was once.
    const char* gap = info.command == "INSERT" ? " 0 " : " ";
    return info.command + gap + std::to_string(rows_changed);
  }
  if (info.command == "EXECUTE" && has_rows) return "SELECT " + std::to_string(rows_sent);
  return info.command;
}

void AppendCommandComplete(std::string_view tag, std::string& out) {
  const MessageScope message('C', out);
  PutCString(tag, out);
}

}  // namespace scaup::server
