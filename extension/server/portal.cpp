// Executes portals.
#include "portal.hpp"

#include <algorithm>

#include "result_sender.hpp"
#include "types.hpp"

namespace scaup::server {

std::vector<Format> Portal::Formats(size_t count) const {
  std::vector<Format> formats(count, Format::kText);
  if (formats_.size() == 1) {
    std::fill(formats.begin(), formats.end(), static_cast<Format>(formats_[0]));
  } else if (!formats_.empty()) {
    if (formats_.size() != count) {
      throw Error(ErrorKind::kUsage, "08P01",
                  "the bind message has " + std::to_string(formats_.size()) +
                      " result formats, but the query has " + std::to_string(count) + " columns");
    }
    for (size_t i = 0; i < count; i++) formats[i] = static_cast<Format>(formats_[i]);
  }
  return formats;
}

void Portal::Describe(std::string& out) const {
  if (!statement_->prepared || !statement_->prepared->has_rows()) {
    const MessageScope none('n', out);
    return;
  }
  const auto& columns = has_started_ ? columns_ : statement_->prepared->columns();
  AppendRowDescription(columns, Formats(columns.size()), out);
  statement_->described.emplace();
  for (const ResultColumn& column : columns) statement_->described->push_back(TypeForClient(column.type).oid);
}

void Portal::Start() {
  stream_ = statement_->prepared->Stream(parameters_);
  has_started_ = true;
  columns_ = stream_->columns();
  has_rows_ = stream_->has_rows();
  rows_changed_ = stream_->rows_changed();
  if (!statement_->described) return;
  // The client reads the rows by what it was told of them.
  const bool is_same = std::equal(
      columns_.begin(), columns_.end(), statement_->described->begin(), statement_->described->end(),
      [](const ResultColumn& column, uint32_t oid) { return TypeForClient(column.type).oid == oid; });
  if (!is_same) throw Error(ErrorKind::kNotSupported, "0A000", "cached plan must not change result type");
}

bool Portal::NextRows(uint64_t most_rows) {
  next_row_ = 0;
  rows_ = QueryResult();
  if (!is_retained_)
    return most_rows == 0 ? stream_->Fetch(rows_) : stream_->Fetch(rows_, static_cast<size_t>(most_rows));
  if (retained_.empty()) {
    if (error_) throw *error_;
    return false;
  }
  rows_ = std::move(retained_.front());
  retained_.pop_front();
  return true;
}

void Portal::Execute(uint64_t most_rows, ClientState& client) {
  if (!has_started_) Start();
  std::string& out = client.channel.out();
  uint64_t sent = 0;
  if (has_rows_) {
    RowEncoder encoder(columns_, Formats(columns_.size()));
    const bool has_limit = most_rows != 0;
    while (!has_limit || sent < most_rows) {
      if (next_row_ >= rows_.row_count() && !NextRows(has_limit ? most_rows - sent : 0)) break;
      encoder.Begin(rows_);
      for (; next_row_ < rows_.row_count() && (!has_limit || sent < most_rows); next_row_++, sent++) {
        encoder.AppendRow(next_row_, out);
        client.channel.FlushIfLarge();
      }
    }
    if (has_limit && sent == most_rows) {
      const MessageScope suspended('s', out);
      return;
    }
  }
  AppendCommandComplete(CommandTag(*statement_->info, has_rows_, sent, rows_changed_), out);
}

void Portal::Retain() {
  if (!stream_ || is_retained_ || !has_rows_) return;
  is_retained_ = true;
  try {
    QueryResult rows;
    while (stream_->Fetch(rows)) retained_.push_back(std::move(rows));
  } catch (const Error& error) {
    error_ = error;
  }
  stream_.reset();
}

}  // namespace scaup::server
