// The table of client settings.
#include "common/settings/client_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "common/settings/search_path_text.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

enum class Values : uint8_t {
  kAny,     ///< every text
  kFixed,   ///< what Scaup is; it cannot be set
  kOne,     ///< the initial value, under any of the listed names
  kListed,  ///< the listed ones
  kPath,    ///< names of schemas
  kSwitch   ///< on or off
};

struct ClientSetting {
  const char* name;
  const char* description;
  const char* initial;
  Values values;
  std::string_view listed = {};  ///< separated by |
};

constexpr const char* kCollation = "The order and the classes of texts: those of their bytes in UTF-8.";
constexpr std::string_view kNoLocale = "C|POSIX|C.UTF-8|en_US.UTF-8|";

constexpr ClientSetting kClientSettings[] = {
    {"application_name", "The name of the program that uses the session.", "", Values::kAny},
    {"bytea_output", "How binary values are written as text: hex.", "hex", Values::kOne, "hex"},
    {"check_function_bodies",
     "For scripts of PostgreSQL: on or off. The bodies of functions are checked in either case.", "on",
     Values::kSwitch},
    {"client_encoding", "The encoding of texts: UTF8.", "UTF8", Values::kOne, "UTF8|UNICODE"},
    {"client_min_messages",
     "For clients of PostgreSQL: the least severity of notices. Statements send none, but errors.", "notice",
     Values::kListed, "debug5|debug4|debug3|debug2|debug1|log|notice|warning|error"},
    {"DateStyle", "How dates are written: ISO, and read: ISO, or month before day.", "ISO, MDY", Values::kOne,
     "ISO, MDY|ISO|MDY"},
    {"default_table_access_method", "For scripts of PostgreSQL: heap, which means columns.", "heap",
     Values::kOne, "heap"},
    {"default_tablespace", "For scripts of PostgreSQL: empty, as there is one file.", "", Values::kOne,
     "|pg_default"},
    {"default_transaction_deferrable", "For clients of PostgreSQL: off.", "off", Values::kOne,
     "off|false|no|0"},
    {"escape_string_warning", "For clients of PostgreSQL: on or off. There are no warnings.", "on",
     Values::kSwitch},
    {"extra_float_digits",
     "For clients of PostgreSQL: 1 to 3, which all mean the shortest text that gives the number back.", "1",
     Values::kListed, "1|2|3"},
    {"idle_in_transaction_session_timeout", "For clients of PostgreSQL: 0, as sessions may idle.", "0",
     Values::kOne, "0"},
    {"idle_session_timeout", "For clients of PostgreSQL: 0, as sessions may idle.", "0", Values::kOne, "0"},
    {"in_hot_standby", "Whether this is a copy that follows another database: off.", "off", Values::kFixed},
    {"integer_datetimes", "Whether times are integers: on.", "on", Values::kFixed},
    {"IntervalStyle", "How intervals are written: postgres.", "postgres", Values::kOne, "postgres"},
    {"is_superuser", "Whether the user may do everything: on.", "on", Values::kFixed},
    {"jit", "For clients of PostgreSQL: on or off. No statement is compiled to machine code.", "off",
     Values::kSwitch},
    {"lc_collate", kCollation, "C", Values::kFixed},
    {"lc_ctype", kCollation, "C", Values::kFixed},
    {"lc_messages", "The language of messages: English.", "C", Values::kOne, kNoLocale},
    {"lc_monetary", "How amounts of money are written.", "C", Values::kOne, kNoLocale},
    {"lc_numeric", "How to_char() writes numbers.", "C", Values::kOne, kNoLocale},
    {"lc_time", "How to_char() writes names of days and months: in English.", "C", Values::kOne, kNoLocale},
    {"max_identifier_length", "The most bytes of a name; the rest is cut off.", "63", Values::kFixed},
    {"max_index_keys", "The most columns of a key, for drivers that ask.", "32", Values::kFixed},
    {"row_security", "For scripts of PostgreSQL: on or off. There are no policies of rows.", "on",
     Values::kSwitch},
    {"search_path",
     "The schemas in which names without one are looked up, one after the other; the first that exists gets "
     "what is created. Of main and its second name public, lists have that which stands here.",
     "main", Values::kPath},
    {"server_encoding", "The encoding of stored texts: UTF8.", "UTF8", Values::kFixed},
    {"server_version", "The version of PostgreSQL whose dialect is spoken.", "15.0", Values::kFixed},
    {"server_version_num", "The version of PostgreSQL whose dialect is spoken, as a number.", "150000",
     Values::kFixed},
    {"session_authorization", "The user: there is one.", "scaup", Values::kFixed},
    {"standard_conforming_strings", "Whether backslashes in strings are plain characters: on.", "on",
     Values::kOne, "on|true|yes|1"},
    {"synchronous_commit",
     "For clients of PostgreSQL. The setting synchronous decides what a commit waits for.", "on",
     Values::kListed, "on|off|local|remote_write|remote_apply"},
    {"transaction_deferrable", "For clients of PostgreSQL: off.", "off", Values::kFixed},
    {"xmloption", "For scripts of PostgreSQL: content or document. There is no type for XML.", "content",
     Values::kListed, "content|document"},
};

/// Returns a value in the form in which values are compared: without case, blanks, hyphens and quotes, as
/// people write "utf-8" and "iso,mdy".
std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (std::string_view(" \t-_\"'").find(c) == std::string_view::npos)
      folded.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return folded;
}

/// Returns the listed value that `text` means.
std::optional<std::string> FindListed(std::string_view listed, std::string_view text) {
  for (size_t begin = 0; begin <= listed.size();) {
    const size_t end = std::min(listed.find('|', begin), listed.size());
    const std::string_view one = listed.substr(begin, end - begin);
    if (Folded(one) == Folded(text)) return std::string(one);
    begin = end + 1;
  }
  return std::nullopt;
}

std::string Wanted(const ClientSetting& setting) {
  std::string wanted;
  for (const char c : setting.listed) wanted += c == '|' ? " or " : std::string(1, c);
  return wanted.empty() || wanted.ends_with(" or ") ? wanted + "empty" : wanted;
}

/// Returns the value that the session keeps for a text.
std::string Accept(const ClientSetting& setting, const std::string& text) {
  constexpr std::string_view kSwitches[] = {"on|true|yes|1", "off|false|no|0"};
  std::optional<std::string> value;
  std::string wanted = Wanted(setting);
  switch (setting.values) {
    case Values::kAny: return text;
    case Values::kFixed:
      if (text == setting.initial) return text;
      ThrowError(ErrorKind::kUsage, sqlstate::kCantChangeRuntimeParameter,
                 fmt::format("setting \"{}\" cannot be changed", setting.name));
    case Values::kOne:
      if (FindListed(setting.listed, text)) value = setting.initial;
      break;
    case Values::kListed: value = FindListed(setting.listed, text); break;
    case Values::kPath:
      if (SplitSearchPath(text)) value = text;
      wanted = "names of schemas with commas between them";
      break;
    case Values::kSwitch:
      wanted = "on or off";
      for (const std::string_view names : kSwitches) {
        if (FindListed(names, text)) value = std::string(names.substr(0, names.find('|')));
      }
      break;
  }
  if (!value) {
    ThrowError(
        ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
        fmt::format("invalid value for setting \"{}\": \"{}\"; it must be {}", setting.name, text, wanted));
  }
  return *value;
}

template <size_t kIndex>
constexpr SettingDefinition DefinitionOf() {
  return {kClientSettings[kIndex].name,
          kClientSettings[kIndex].description,
          [](const Settings& settings) {
            const auto found = settings.client_values.find(kClientSettings[kIndex].name);
            return found == settings.client_values.end() ? std::string(kClientSettings[kIndex].initial)
                                                         : found->second;
          },
          [](Settings& settings, const std::string& text) {
            settings.client_values[kClientSettings[kIndex].name] = Accept(kClientSettings[kIndex], text);
          },
          false,
          true};
}

template <size_t... kIndexes>
std::vector<SettingDefinition> AllOf(std::index_sequence<kIndexes...>) {
  return {DefinitionOf<kIndexes>()...};
}

}  // namespace

std::vector<SettingDefinition> ClientSettings() {
  return AllOf(std::make_index_sequence<std::size(kClientSettings)>());
}

}  // namespace scaup
