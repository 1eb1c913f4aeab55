// Writes rows in the forms of COPY.
#include "copy_out.hpp"

#include <algorithm>
#include <utility>

#include "copy_arrow_out.hpp"
#include "copy_wire.hpp"
#include "row_encoder.hpp"

namespace scaup::server {

namespace {

std::string QueryOf(const CopyStream& copy) {
  if (!copy.query.empty()) return copy.query;
  std::string columns;
  for (const std::string& column : copy.columns)
    columns += (columns.empty() ? "" : ", ") + QuotedName(column);
  return "SELECT " + (columns.empty() ? "*" : columns) + " FROM " + QuotedTable(copy);
}

/// Executes the query. Positions of its errors count in the text of COPY.
StreamingResult OpenQuery(const CopyStream& copy, ClientState& client) {
  try {
    return client.connection.Stream(QueryOf(copy));
  } catch (const Error& error) {
    if (copy.query.empty() || !error.position()) throw Error(error.kind(), error.sqlstate(), error.message());
    throw Error(error.kind(), error.sqlstate(), error.message(), *error.position() + copy.query_position);
  }
}

void AppendEscaped(std::string_view text, char delimiter, std::string& out) {
  for (const char c : text) {
    constexpr std::string_view kSpecial = "\b\f\n\r\t\v\\";
    constexpr std::string_view kLetters = "bfnrtv\\";
    const size_t special = kSpecial.find(c);
    if (special != std::string_view::npos) {
      out.push_back('\\');
      out.push_back(kLetters[special]);
    } else {
      if (c == delimiter) out.push_back('\\');
      out.push_back(c);
    }
  }
}

void AppendQuoted(std::string_view text, const CopyOptions& options, std::string& out) {
  out.push_back(options.quote);
  for (const char c : text) {
    if (c == options.quote || c == options.escape) out.push_back(options.escape);
    out.push_back(c);
  }
  out.push_back(options.quote);
}

/// Writes lines of text or CSV.
class LineWriter {
 public:
  LineWriter(const CopyOptions& options, const std::vector<ResultColumn>& columns) : options_(options) {
    for (const ResultColumn& column : columns) {
      const bool is_named =
          std::find(options.quoted.begin(), options.quoted.end(), column.name) != options.quoted.end();
      is_quoted_.push_back(options.quotes_all || is_named);
    }
  }

  void AppendHeader(const std::vector<ResultColumn>& columns, std::string& out) {
    for (size_t i = 0; i < columns.size(); i++) {
      if (i != 0) out.push_back(options_.delimiter);
      AppendField(columns[i].name, false, out);
    }
    out.push_back('\n');
  }

  void AppendLine(const RowEncoder& encoder, size_t row, std::string& out) {
    for (size_t i = 0; i < is_quoted_.size(); i++) {
      if (i != 0) out.push_back(options_.delimiter);
      value_.clear();
      if (encoder.AppendValue(i, row, value_)) {
        AppendField(value_, is_quoted_[i], out);
      } else {
        out.append(options_.null);
      }
    }
    out.push_back('\n');
  }

 private:
  void AppendField(std::string_view text, bool is_quoted, std::string& out) const {
    if (options_.form == CopyForm::kText) return AppendEscaped(text, options_.delimiter, out);
    // A single "\." would end the data.
    const bool is_special =
        text == options_.null || text == "\\." || std::any_of(text.begin(), text.end(), [&](char c) {
          return c == options_.delimiter || c == options_.quote || c == '\n' || c == '\r';
        });
    if (is_quoted || is_special) {
      AppendQuoted(text, options_, out);
    } else {
      out.append(text);
    }
  }

  const CopyOptions& options_;
  std::vector<bool> is_quoted_;
  std::string value_;
};

}  // namespace

uint64_t CopyOut(const CopyStream& copy, const CopyOptions& options, ClientState& client) {
  StreamingResult stream = OpenQuery(copy, client);
  const std::vector<ResultColumn>& columns = stream.columns();
  if (columns.empty())
    throw Error(ErrorKind::kNotSupported, "0A000", "COPY query must have a RETURNING clause",
                copy.query_position);
  if (options.form == CopyForm::kArrow) return SendArrow(std::move(stream), options, client);
  const Format format = options.form == CopyForm::kBinary ? Format::kBinary : Format::kText;
  std::string& out = client.channel.out();
  AppendCopyResponse('H', format, columns.size(), out);
  RowEncoder encoder(columns, std::vector<Format>(columns.size(), format));
  LineWriter lines(options, columns);
  // Clients take a message for a row, and find the head in the first one, as PostgreSQL sends it.
  std::string_view head = format == Format::kBinary ? kBinaryCopyHead : std::string_view();
  if (options.has_header) {
    const MessageScope message('d', out);
    lines.AppendHeader(columns, out);
  }
  uint64_t count = 0;
  QueryResult rows;
  while (stream.Fetch(rows)) {
    encoder.Begin(rows);
    for (size_t row = 0; row < rows.row_count(); row++) {
      {
        const MessageScope message('d', out);
        if (format == Format::kBinary) {
          out.append(std::exchange(head, {}));
          encoder.AppendFields(row, out);
        } else {
          lines.AppendLine(encoder, row, out);
        }
      }
      client.channel.FlushIfLarge();
    }
    count += rows.row_count();
  }
  if (format == Format::kBinary) {
    const MessageScope message('d', out);
    out.append(head);
    PutBig(kBinaryCopyEnd, out);
  }
  const MessageScope done('c', out);
  return count;
}

}  // namespace scaup::server
