// Parses the forms of COPY.
#include "copy_parser.hpp"

#include <algorithm>

#include "binary_value.hpp"
#include "copy_wire.hpp"
#include "scaup/error.hpp"

namespace scaup::server {

namespace {

constexpr std::string_view kEndMark = "\\.";

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Appends the byte of \x41 or \101, of which `digits` begins with the first digit. Returns how many it has.
size_t AppendNumbered(std::string_view digits, int base, size_t most, std::string& out) {
  int byte = 0;
  size_t count = 0;
  while (count < most && count < digits.size()) {
    const int digit = HexDigit(digits[count]);
    if (digit < 0 || digit >= base) break;
    byte = byte * base + digit;
    count++;
  }
  if (count != 0) out.push_back(static_cast<char>(byte));
  return count;
}

void AppendUnescaped(std::string_view raw, std::string& out) {
  for (size_t i = 0; i < raw.size(); i++) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out.push_back(raw[i]);
      continue;
    }
    i++;
    constexpr std::string_view kLetters = "bfnrtv";
    constexpr std::string_view kBytes = "\b\f\n\r\t\v";
    const size_t letter = kLetters.find(raw[i]);
    if (letter != std::string_view::npos) {
      out.push_back(kBytes[letter]);
    } else if (raw[i] >= '0' && raw[i] <= '7') {
      i += AppendNumbered(raw.substr(i), 8, 3, out) - 1;
    } else if (raw[i] == 'x' && i + 1 < raw.size() && HexDigit(raw[i + 1]) >= 0) {
      i += AppendNumbered(raw.substr(i + 1), 16, 2, out);
    } else {
      out.push_back(raw[i]);
    }
  }
}

}  // namespace

CopyParser::CopyParser(const CopyOptions& options, std::vector<std::string> columns,
                       std::vector<uint32_t> oids, FieldSink& sink)
    : options_(options), columns_(std::move(columns)), oids_(std::move(oids)), sink_(sink) {
  for (const std::string& column : columns_) {
    never_null_.push_back(Contains(options.not_null, column));
    quoted_null_.push_back(Contains(options.null_too, column));
  }
}

void CopyParser::Refuse(const std::string& what) const {
  throw Error(ErrorKind::kIo, "22P04", "COPY, line " + std::to_string(line_) + ": " + what);
}

void CopyParser::Compact() {
  data_.erase(0, position_);
  position_ = 0;
}

void CopyParser::Finish() const {
  const bool is_binary = options_.form == CopyForm::kBinary;
  if (has_ended_) return;
  // The mark of the end may be missing, as in PostgreSQL: some clients do not send it.
  if (is_binary && (!has_begun_ || position_ != data_.size())) Refuse("unexpected EOF in COPY data");
  if (position_ != data_.size()) Refuse("the last line is not complete: a quote is open");
}

bool CopyParser::SplitText(bool is_end) {
  fields_.clear();
  size_t begin = position_;
  for (size_t i = position_; i < data_.size(); i++) {
    if (data_[i] == '\\') {
      i++;
      // The end of a line may be escaped, but not by the end mark.
    } else if (data_[i] == options_.delimiter) {
      fields_.push_back({begin, i, false});
      begin = i + 1;
    } else if (data_[i] == '\n') {
      const bool has_return = i > begin && data_[i - 1] == '\r';
      fields_.push_back({begin, has_return ? i - 1 : i, false});
      position_ = i + 1;
      return true;
    }
  }
  if (!is_end || position_ == data_.size()) return false;
  fields_.push_back({begin, data_.size(), false});
  position_ = data_.size();
  return true;
}

bool CopyParser::SplitCsv(bool is_end) {
  fields_.clear();
  size_t begin = position_;
  bool in_quotes = false, is_quoted = false;
  for (size_t i = position_; i < data_.size(); i++) {
    const char c = data_[i];
    if (in_quotes) {
      const bool escapes = c == options_.escape && i + 1 < data_.size() &&
                           (data_[i + 1] == options_.quote || data_[i + 1] == options_.escape);
      // Whether a quote at the end of what is here is doubled shows with the next part.
      if (c == options_.quote && i + 1 == data_.size() && !is_end) return false;
      if (escapes) {
        i++;
      } else if (c == options_.quote) {
        in_quotes = false;
      }
    } else if (c == options_.quote) {
      in_quotes = is_quoted = true;
    } else if (c == options_.delimiter) {
      fields_.push_back({begin, i, is_quoted});
      begin = i + 1;
      is_quoted = false;
    } else if (c == '\n') {
      const bool has_return = i > begin && data_[i - 1] == '\r';
      fields_.push_back({begin, has_return ? i - 1 : i, is_quoted});
      position_ = i + 1;
      return true;
    }
  }
  if (!is_end || position_ == data_.size() || in_quotes) return false;
  fields_.push_back({begin, data_.size(), is_quoted});
  position_ = data_.size();
  return true;
}

void CopyParser::EmitField(size_t column, std::string_view raw, bool is_quoted) {
  if (options_.form == CopyForm::kText) {
    if (raw == options_.null) return sink_.AddField(std::nullopt);
    if (raw.find('\\') == std::string_view::npos) return sink_.AddField(raw);
    text_.clear();
    AppendUnescaped(raw, text_);
    return sink_.AddField(text_);
  }
  std::string_view value = raw;
  if (is_quoted) {
    text_.clear();
    bool in_quotes = false;
    for (size_t i = 0; i < raw.size(); i++) {
      const bool escapes = in_quotes && raw[i] == options_.escape && i + 1 < raw.size() &&
                           (raw[i + 1] == options_.quote || raw[i + 1] == options_.escape);
      if (escapes) {
        text_.push_back(raw[++i]);
      } else if (raw[i] == options_.quote) {
        in_quotes = !in_quotes;
      } else {
        text_.push_back(raw[i]);
      }
    }
    value = text_;
  }
  const bool can_be_null = is_quoted ? quoted_null_[column] : !never_null_[column];
  if (can_be_null && value == options_.null) return sink_.AddField(std::nullopt);
  sink_.AddField(value);
}

void CopyParser::EmitLine() {
  if (fields_.size() < columns_.size())
    Refuse("missing data for column \"" + columns_[fields_.size()] + "\"");
  if (fields_.size() > columns_.size()) Refuse("extra data after last expected column");
  for (size_t i = 0; i < fields_.size(); i++) {
    const Field& field = fields_[i];
    EmitField(i, std::string_view(data_).substr(field.begin, field.end - field.begin), field.is_quoted);
  }
  sink_.EndRow();
}

bool CopyParser::ParseRow(bool is_end) {
  if (has_ended_) {
    position_ = data_.size();
    return false;
  }
  if (options_.form == CopyForm::kBinary) return ParseBinaryRow();
  for (;;) {
    if (!(options_.form == CopyForm::kText ? SplitText(is_end) : SplitCsv(is_end))) return false;
    line_++;
    const std::string_view first =
        std::string_view(data_).substr(fields_[0].begin, fields_[0].end - fields_[0].begin);
    if (fields_.size() == 1 && !fields_[0].is_quoted && first == kEndMark) {
      has_ended_ = true;
      return false;
    }
    if (line_ != 1 || !options_.has_header) break;
    for (size_t i = 0; options_.checks_header && i < std::max(fields_.size(), columns_.size()); i++) {
      const bool is_same = i < fields_.size() && i < columns_.size() &&
                           data_.substr(fields_[i].begin, fields_[i].end - fields_[i].begin) == columns_[i];
      if (!is_same) Refuse("the header does not have the names of the columns");
    }
  }
  EmitLine();
  return true;
}

bool CopyParser::ParseBinaryRow() {
  std::string_view rest = std::string_view(data_).substr(position_);
  if (!has_begun_) {
    constexpr size_t kSignatureBytes = 11;
    if (rest.size() < kBinaryCopyHead.size()) return false;
    if (rest.substr(0, kSignatureBytes) != kBinaryCopyHead.substr(0, kSignatureBytes))
      Refuse("COPY file signature not recognized");
    const auto flags = LoadBig<uint32_t>(rest.data() + kSignatureBytes);
    const auto extension = LoadBig<uint32_t>(rest.data() + kSignatureBytes + 4);
    constexpr uint32_t kCriticalFlags = 0xFFFF0000;
    if ((flags & kCriticalFlags) != 0) Refuse("unrecognized critical flags in COPY file header");
    if (rest.size() - kBinaryCopyHead.size() < extension) return false;
    position_ += kBinaryCopyHead.size() + extension;
    rest = std::string_view(data_).substr(position_);
    has_begun_ = true;
  }
  // Whether the row is here is seen before the first field goes to the sink.
  size_t end = sizeof(int16_t);
  if (rest.size() < end) return false;
  const auto count = LoadBig<int16_t>(rest.data());
  if (count == kBinaryCopyEnd) {
    has_ended_ = true;
    return false;
  }
  line_++;
  if (count < 0 || static_cast<size_t>(count) != columns_.size()) {
    Refuse("row field count is " + std::to_string(count) + ", expected " + std::to_string(columns_.size()));
  }
  for (int16_t i = 0; i < count; i++) {
    if (rest.size() - end < sizeof(int32_t)) return line_--, false;
    const auto size = LoadBig<int32_t>(rest.data() + end);
    end += sizeof(int32_t);
    if (size < -1) Refuse("invalid field size");
    if (size == -1) continue;
    if (rest.size() - end < static_cast<size_t>(size)) return line_--, false;
    end += static_cast<size_t>(size);
  }
  MessageReader reader(rest.substr(sizeof(int16_t), end - sizeof(int16_t)));
  for (size_t i = 0; i < columns_.size(); i++) {
    const auto field = reader.Field();
    if (field) {
      const std::string text = ReadBinaryValue(*field, oids_[i]).ToString();
      sink_.AddField(text);
    } else {
      sink_.AddField(std::nullopt);
    }
  }
  sink_.EndRow();
  position_ += end;
  return true;
}

}  // namespace scaup::server
