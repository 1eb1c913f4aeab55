// Compiles templates for dates and times.
#include "function/scalar/temporal/date_format.hpp"

#include "type/text/ascii.hpp"

namespace scaup {

// Longer keywords come before their prefixes.
const DateFormat::Keyword DateFormat::kKeywords[] = {
    {"A.D.", Field::kEra, 4, false},
    {"A.M.", Field::kMeridiem, 4, false},
    {"AD", Field::kEra, 2, false},
    {"AM", Field::kMeridiem, 2, false},
    {"B.C.", Field::kEra, 4, false},
    {"BC", Field::kEra, 2, false},
    {"CC", Field::kCentury, 2, true},
    {"DAY", Field::kDayName, 3, false},
    {"Day", Field::kDayName, 3, false, Calendar::kAny, Letters::kCapital, false},
    {"DDD", Field::kDayOfYear, 3, true, Calendar::kGregorian},
    {"DD", Field::kDay, 2, true, Calendar::kGregorian},
    {"DY", Field::kDayShort, 2, false},
    {"Dy", Field::kDayShort, 2, false, Calendar::kAny, Letters::kCapital, false},
    {"D", Field::kDayOfWeek, 1, true, Calendar::kGregorian},
    {"FF1", Field::kFraction, 1, true},
    {"FF2", Field::kFraction, 2, true},
    {"FF3", Field::kFraction, 3, true},
    {"FF4", Field::kFraction, 4, true},
    {"FF5", Field::kFraction, 5, true},
    {"FF6", Field::kFraction, 6, true},
    {"FX", Field::kFixedMode, 2, false},
    {"HH24", Field::kHour24, 2, true},
    {"HH12", Field::kHour12, 2, true},
    {"HH", Field::kHour12, 2, true},
    {"IDDD", Field::kIsoDayOfYear, 3, true, Calendar::kIsoWeek},
    {"ID", Field::kIsoDayOfWeek, 1, true, Calendar::kIsoWeek},
    {"IW", Field::kIsoWeek, 2, true, Calendar::kIsoWeek},
    {"IYYY", Field::kIsoYear, 4, true, Calendar::kIsoWeek},
    {"IYY", Field::kIsoYear, 3, true, Calendar::kIsoWeek},
    {"IY", Field::kIsoYear, 2, true, Calendar::kIsoWeek},
    {"I", Field::kIsoYear, 1, true, Calendar::kIsoWeek},
    {"J", Field::kJulian, 1, true},
    {"MI", Field::kMinute, 2, true},
    {"MM", Field::kMonth, 2, true, Calendar::kGregorian},
    {"MONTH", Field::kMonthName, 5, false, Calendar::kGregorian},
    {"Month", Field::kMonthName, 5, false, Calendar::kGregorian, Letters::kCapital, false},
    {"MON", Field::kMonthShort, 3, false, Calendar::kGregorian},
    {"Mon", Field::kMonthShort, 3, false, Calendar::kGregorian, Letters::kCapital, false},
    {"MS", Field::kFraction, 3, true},
    {"OF", Field::kOffset, 2, false},
    {"P.M.", Field::kMeridiem, 4, false},
    {"PM", Field::kMeridiem, 2, false},
    {"Q", Field::kQuarter, 1, true},
    {"RM", Field::kRomanMonth, 2, false, Calendar::kGregorian},
    {"SSSSS", Field::kSecondOfDay, 5, true},
    {"SSSS", Field::kSecondOfDay, 4, true},
    {"SS", Field::kSecond, 2, true},
    {"TZH", Field::kZoneHour, 2, false},
    {"TZM", Field::kZoneMinute, 2, true},
    {"TZ", Field::kZoneName, 2, false},
    {"US", Field::kFraction, 6, true},
    {"WW", Field::kWeek, 2, true, Calendar::kGregorian},
    {"W", Field::kWeekOfMonth, 1, true, Calendar::kGregorian},
    {"Y,YYY", Field::kYearComma, 5, true, Calendar::kGregorian},
    {"YYYY", Field::kYear, 4, true, Calendar::kGregorian},
    {"YYY", Field::kYear, 3, true, Calendar::kGregorian},
    {"YY", Field::kYear, 2, true, Calendar::kGregorian},
    {"Y", Field::kYear, 1, true, Calendar::kGregorian},
};

namespace {

/// Whether the text begins with the keyword in lower case.
bool BeginsWithLower(std::string_view text, std::string_view keyword) {
  if (text.size() < keyword.size()) return false;
  for (size_t i = 0; i < keyword.size(); i++) {
    if (text[i] != ToLower(keyword[i])) return false;
  }
  return true;
}

/// Whether the text begins with the keyword in one case, upper or lower. Mixed case is plain text, as in
/// PostgreSQL.
bool BeginsWith(std::string_view text, std::string_view keyword) {
  return text.starts_with(keyword) || BeginsWithLower(text, keyword);
}

}  // namespace

/// Adds the field at the beginning of `rest`. Returns the bytes that it takes with its suffix; 0 if there is
/// none. `part` has what the prefix FM or TM says.
size_t DateFormat::AddField(std::string_view rest, Part part) {
  for (const Keyword& keyword : kKeywords) {
    const bool is_lower = keyword.has_lower && BeginsWithLower(rest, keyword.text);
    if (!is_lower && !rest.starts_with(keyword.text)) continue;
    part.kind = PartKind::kField;
    part.keyword = &keyword;
    part.letters = keyword.letters == Letters::kUpper && is_lower ? Letters::kLower : keyword.letters;
    size_t length = keyword.text.size();
    part.text = rest.substr(0, length);
    const std::string_view suffix = rest.substr(length);
    if (suffix.starts_with("TH")) {
      part.ordinal = Ordinal::kUpper;
    } else if (suffix.starts_with("th")) {
      part.ordinal = Ordinal::kLower;
    }
    // SP, the number as a word, is accepted and has no effect, as in PostgreSQL.
    if (part.ordinal != Ordinal::kNone || suffix.starts_with("SP")) length += 2;
    parts_.push_back(std::move(part));
    return length;
  }
  return 0;
}

void DateFormat::AddText(PartKind kind, std::string_view text) {
  if (parts_.empty() || parts_.back().kind != kind) {
    parts_.emplace_back();
    parts_.back().kind = kind;
  }
  parts_.back().text += text;
}

DateFormat::DateFormat(std::string_view pattern) {
  bool is_quoted = false;
  for (size_t i = 0; i < pattern.size();) {
    if (pattern[i] == '"') {
      is_quoted = !is_quoted;
      i++;
      continue;
    }
    if (!is_quoted) {
      Part part;
      part.fill = !BeginsWith(pattern.substr(i), "FM");
      part.is_translated = BeginsWith(pattern.substr(i), "TM");
      // A prefix without a field is dropped, and what follows is text.
      if (!part.fill || part.is_translated) i += 2;
      const size_t length = AddField(pattern.substr(i), std::move(part));
      i += length;
      if (length > 0 || i == pattern.size() || pattern[i] == '"') continue;
    }
    const bool escapes = i + 1 < pattern.size() && (is_quoted || pattern[i + 1] == '"');
    if (pattern[i] == '\\' && escapes) i++;
    const PartKind kind = is_quoted                         ? PartKind::kText
                          : IsTemplateSeparator(pattern[i]) ? PartKind::kSeparators
                          : IsSpace(pattern[i])             ? PartKind::kSpaces
                                                            : PartKind::kText;
    AddText(kind, pattern.substr(i, 1));
    i++;
  }
  for (size_t i = 0; i + 1 < parts_.size(); i++) {
    const Part& next = parts_[i + 1];
    const bool digit_follows =
        next.kind == PartKind::kField ? next.keyword->is_number : IsDigit(next.text[0]);
    parts_[i].ends_with_digits = parts_[i].ordinal != Ordinal::kNone || !digit_follows;
  }
}

DateFormat::Shape DateFormat::shape() const {
  Shape shape;
  for (const Part& part : parts_) {
    if (part.kind != PartKind::kField || part.keyword->field == Field::kFixedMode) continue;
    const Field field = part.keyword->field;
    const bool is_zone = field >= Field::kZoneName;
    const bool is_time = field >= Field::kHour24 && !is_zone;
    (is_zone ? shape.has_zone : is_time ? shape.has_time : shape.has_date) = true;
  }
  return shape;
}

}  // namespace scaup
