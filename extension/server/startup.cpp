// Startup messages.
#include "startup.hpp"

#include <algorithm>

#include "report.hpp"
#include "scaup/database.hpp"

namespace scaup::server {

namespace {

constexpr uint32_t kCancelCode = 80877102, kSslCode = 80877103, kGssCode = 80877104;
constexpr uint16_t kMajorVersion = 3;
/// PostgreSQL's limit: before its authentication a client gets no more space.
constexpr uint32_t kMostStartupBytes = 10000;

/// Reads the length and the code of a packet, which has no type. Returns the rest.
std::string_view ReadPacket(Channel& channel, uint32_t& code) {
  const auto size = LoadBig<uint32_t>(channel.Read(sizeof(uint32_t)).data());
  if (size < 2 * sizeof(uint32_t) || size > kMostStartupBytes)
    throw FatalError("08P01", "invalid length of startup packet");
  const std::string_view body = channel.Read(size - sizeof(uint32_t));
  code = LoadBig<uint32_t>(body.data());
  return body.substr(sizeof(uint32_t));
}

void AnswerEncryption(bool is_ssl, Channel& channel, const ServerContext& context, bool is_local) {
  const bool can_encrypt = is_ssl && context.tls != nullptr && !is_local && !channel.is_encrypted();
  channel.out().push_back(can_encrypt ? 'S' : 'N');
  channel.Flush();
  if (!can_encrypt) return;
  // Bytes that came in front of the handshake could be anybody's.
  if (channel.has_input()) throw FatalError("08P01", "received unencrypted data after SSL request");
  channel.StartTls(*context.tls);
}

/// Answers a newer minor version, and options that it does not know, with what it speaks.
void Negotiate(uint32_t code, const StartupParameters& parameters, Channel& channel) {
  constexpr std::string_view kOptionPrefix = "_pq_.";
  std::vector<std::string_view> unknown;
  for (const auto& [name, value] : parameters) {
    if (name.starts_with(kOptionPrefix)) unknown.push_back(name);
  }
  if ((code & 0xFFFF) == 0 && unknown.empty()) return;
  std::string& out = channel.out();
  const MessageScope message('v', out);
  PutBig(uint32_t{kMajorVersion} << 16, out);
  PutBig(static_cast<uint32_t>(unknown.size()), out);
  for (const std::string_view name : unknown) PutCString(name, out);
}

StartupParameters ReadParameters(std::string_view body) {
  MessageReader reader(body);
  StartupParameters parameters;
  for (;;) {
    const std::string_view name = reader.CString();
    if (name.empty()) break;
    parameters[std::string(name)] = reader.CString();
  }
  return parameters;
}

void Authenticate(const StartupParameters& parameters, Channel& channel, const ServerContext& context,
                  bool is_local) {
  const auto user = parameters.find("user");
  if (user == parameters.end() || user->second.empty())
    throw FatalError("28000", "no PostgreSQL user name specified in startup packet");
  const bool is_known = is_local && IsSameUser(channel.descriptor());
  if (!is_known && context.passwords != nullptr) {
    if (!ProvePassword(*context.passwords, user->second, channel))
      throw FatalError("28P01", "password authentication failed for user \"" + user->second + "\"");
  } else if (!is_known && is_local) {
    throw FatalError("28000", "peer authentication failed for user \"" + user->second +
                                  "\": the socket is for the system's user that the server runs as");
  }
  const MessageScope ok('R', channel.out());
  PutBig(uint32_t{0}, channel.out());
}

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted.push_back(c);
    quoted.push_back(c);
  }
  quoted.push_back(quote);
  return quoted;
}

/// Sets a parameter that the engine knows. PostgreSQL would refuse others, but they may be of extensions.
void SetIfKnown(std::string_view name, std::string_view value, Connection& connection) {
  constexpr std::string_view kUndefined = "42704";
  try {
    // The schemas of a path stand in one text here, which SET would take for the name of one.
    connection.Query(name == "search_path"
                         ? "SELECT set_config('search_path', " + Quoted(value, '\'') + ", false)"
                         : "SET " + Quoted(name, '"') + " = " + Quoted(value, '\''));
  } catch (const Error& error) {
    if (error.sqlstate() != kUndefined) throw FatalError("22023", error.message());
  }
}

/// Applies "-c name=value --name=value", the words of the parameter "options".
void SetOptions(std::string_view options, Connection& connection) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < options.size(); i++) {
    if (options[i] == '\\' && i + 1 < options.size()) {
      words.back().push_back(options[++i]);
    } else if (options[i] == ' ' || options[i] == '\t') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back().push_back(options[i]);
    }
  }
  for (size_t i = 0; i < words.size(); i++) {
    std::string word = words[i];
    if (word == "-c" && i + 1 < words.size()) {
      word = words[++i];
    } else if (word.starts_with("--") || word.starts_with("-c")) {
      word.erase(0, 2);
    } else {
      continue;
    }
    const size_t equal = word.find('=');
    if (equal == std::string::npos) continue;
    std::string name = word.substr(0, equal);
    std::replace(name.begin(), name.end(), '-', '_');
    SetIfKnown(name, word.substr(equal + 1), connection);
  }
}

std::string ParameterOr(const StartupParameters& parameters, std::string_view name, std::string_view other) {
  const auto found = parameters.find(name);
  return std::string(found == parameters.end() ? other : found->second);
}

}  // namespace

std::optional<StartupParameters> ReadStartup(Channel& channel, ServerContext& context, Admission admission) {
  // A client may ask for each kind of encryption once.
  constexpr int kMostPackets = 3;
  for (int i = 0; i < kMostPackets; i++) {
    uint32_t code = 0;
    const std::string_view body = ReadPacket(channel, code);
    if (code == kSslCode || code == kGssCode) {
      AnswerEncryption(code == kSslCode, channel, context, admission.is_local);
      continue;
    }
    if (code == kCancelCode) {
      MessageReader reader(body);
      CancelKey key;
      key.process = reader.Big<uint32_t>();
      key.secret = reader.Big<uint32_t>();
      context.registry.Cancel(key);
      return std::nullopt;
    }
    if (code >> 16 != kMajorVersion) {
      throw FatalError("0A000", "unsupported frontend protocol " + std::to_string(code >> 16) + "." +
                                    std::to_string(code & 0xFFFF) + ": server supports 3.0 to 3.0");
    }
    StartupParameters parameters = ReadParameters(body);
    Negotiate(code, parameters, channel);
    if (admission.is_refused) throw FatalError("53300", "sorry, too many clients already");
    Authenticate(parameters, channel, context, admission.is_local);
    return parameters;
  }
  throw FatalError("08P01", "too many requests for encryption");
}

void AppendParameterStatus(std::string_view name, std::string_view value, std::string& out) {
  const MessageScope message('S', out);
  PutCString(name, out);
  PutCString(value, out);
}

void BeginSession(const StartupParameters& parameters, Connection& connection, Channel& channel) {
  const std::string replication = ParameterOr(parameters, "replication", "off");
  if (replication != "off" && replication != "false" && replication != "0" && replication != "no")
    throw FatalError("0A000", "there is no replication");
  for (const auto& [name, value] : parameters) {
    const bool is_own = name == "user" || name == "database" || name == "replication" || name == "options" ||
                        name.starts_with("_pq_.");
    if (!is_own) SetIfKnown(name, value, connection);
  }
  SetOptions(ParameterOr(parameters, "options", ""), connection);

  const std::string user = ParameterOr(parameters, "user", "");
  // Drivers choose their ways by the first number: the dialect is that of PostgreSQL 15.
  const std::string version = std::string("15.0 (Scaup ") + Database::Version() + ")";
  const std::pair<const char*, std::string> known[] = {
      {"server_version", version},
      {"server_encoding", "UTF8"},
      {"client_encoding", "UTF8"},
      {"DateStyle", "ISO, MDY"},
      {"IntervalStyle", "postgres"},
      {"integer_datetimes", "on"},
      {"standard_conforming_strings", "on"},
      {"is_superuser", "on"},
      {"in_hot_standby", "off"},
      {"session_authorization", user},
  };
  for (const auto& [name, value] : known) AppendParameterStatus(name, value, channel.out());
}

}  // namespace scaup::server
