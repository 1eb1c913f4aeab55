// The loop over a client's messages.
#include "client_session.hpp"

#include "extended_query.hpp"
#include "report.hpp"
#include "simple_query.hpp"

namespace scaup::server {

namespace {

/// The most time until a client is authenticated.
constexpr std::chrono::seconds kStartupTime{60};

/// Adds a session to the registry for its lifetime.
class Registration {
 public:
  Registration(ClientRegistry& registry, Connection& connection)
      : registry_(registry), key_(registry.Add(connection)) {}
  ~Registration() { registry_.Remove(key_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  const CancelKey& key() const { return key_; }

 private:
  ClientRegistry& registry_;
  const CancelKey key_;
};

void AnswerQuery(const Message& message, ClientState& client, ExtendedQuery& extended) {
  MessageReader reader(message.body);
  // Copied, as COPY reads further messages into the channel's buffer.
  const std::string sql(reader.CString());
  reader.RequireEnd();
  extended.BeginSimpleQuery();
  RunSimpleQuery(sql, client, extended.statements());
  extended.Sync();
}

void ServeSession(const StartupParameters& parameters, Channel& channel, const Database& database,
                  ServerContext& context) {
  Connection connection(database);
  const Registration registration(context.registry, connection);
  BeginSession(parameters, connection, channel);
  std::string& out = channel.out();
  {
    const MessageScope key('K', out);
    PutBig(registration.key().process, out);
    PutBig(registration.key().secret, out);
  }
  TransactionScope scope(connection, out);
  ClientState client{channel, connection, scope, context.max_message_bytes, {}};
  client.settings.Begin(connection, out);
  ExtendedQuery extended(client);
  channel.SetDeadline(std::nullopt);
  extended.Sync();
  for (;;) {
    const Message message = channel.ReadMessage(context.max_message_bytes);
    if (message.type == 'X') return;
    if (message.type == 'S') {
      extended.Sync();
    } else if (message.type == 'Q' && !extended.skips()) {
      AnswerQuery(message, client, extended);
    } else {
      extended.Answer(message);
      // A client that reads its answers before Sync asks for them by Flush.
      channel.FlushIfLarge();
    }
  }
}

}  // namespace

void ServeClient(Channel& channel, const Database& database, ServerContext& context,
                 Admission admission) noexcept {
  const auto end = [&](const char* sqlstate, const char* message) {
    try {
      AppendFatal(sqlstate, message, channel.out());
      channel.Flush();
    } catch (const std::exception&) {
      // The client is gone, too.
    }
  };
  try {
    channel.SetDeadline(std::chrono::steady_clock::now() + kStartupTime);
    const auto parameters = ReadStartup(channel, context, admission);
    if (parameters) ServeSession(*parameters, channel, database, context);
  } catch (const ConnectionLost&) {
    // At the server's end only reading has ended.
    if (context.is_stopping) end("57P01", "terminating connection due to administrator command");
  } catch (const FatalError& error) {
    end(error.sqlstate(), error.what());
  } catch (const ProtocolError& error) {
    end("08P01", error.what());
  } catch (const Error& error) {
    end(error.sqlstate(), error.what());
  } catch (const std::exception& error) {
    end("53200", error.what());
  }
}

}  // namespace scaup::server
