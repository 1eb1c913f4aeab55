// Accepts clients and gives each a thread.
#include "server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <list>
#include <mutex>
#include <utility>

#include "client_session.hpp"
#include "listener.hpp"

namespace scaup::server {

namespace {

/// The stack of a client's thread. Only what is used takes memory, so a thousand idle clients take little.
constexpr size_t kStackBytes = 2 * 1024 * 1024;
/// The time that Stop leaves statements and writes to end by themselves.
constexpr std::chrono::seconds kGraceTime{2};

/// Starts a thread that blocks all signals. Returns an error number.
int StartThread(pthread_t& thread, void* (*run)(void*), void* argument) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code != 0) return code;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // A thread begins with the mask of the one that starts it: signals stay the program's.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  code = pthread_create(&thread, &attributes, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return code;
}

}  // namespace

struct Server::State {
  /// One client. Its thread sets `has_ended` as its last action, under the mutex.
  struct Client {
    Client(State& state_in, int descriptor, Admission admission_in)
        : state(state_in), channel(descriptor), admission(admission_in) {}
    State& state;
    Channel channel;
    const Admission admission;
    pthread_t thread{};
    bool has_ended = false;
  };

  State(Database database_in, const ServerOptions& options_in)
      : database(std::move(database_in)), options(options_in) {}

  void Wake() {
    const char byte = 0;
    // A full pipe wakes the thread as well.
    if (write(wake[1], &byte, 1) < 0) return;
  }
  void Listen();
  void Accept(const Listener& listener);
  /// Joins the threads of clients that have left.
  void Reap();
  void AcceptClients();
  void StopClients();

  Database database;
  const ServerOptions options;
  ServerContext context;
  std::vector<Listener> listeners;
  std::vector<std::string> addresses;
  int wake[2] = {-1, -1};
  pthread_t acceptor{};
  bool is_running = false;  // used by the caller's thread
  std::mutex stop_mutex;    // held while it stops

  mutable std::mutex mutex;
  std::condition_variable client_ended;
  std::list<Client> clients;  // guarded by mutex
};

void Server::State::Listen() {
  context.max_message_bytes = options.max_message_bytes;
  if (!options.password_file.empty())
    context.passwords = std::make_unique<const PasswordFile>(options.password_file);
  if (options.tls_certificate.empty() != options.tls_key.empty())
    throw Error(ErrorKind::kUsage, "22023", "TLS needs both a certificate and a key");
  if (!options.tls_certificate.empty()) context.tls = LoadTls(options.tls_certificate, options.tls_key);
  for (const std::string& address : options.listen) {
    for (Listener& listener : ListenAtAddress(address, context.passwords != nullptr))
      listeners.push_back(std::move(listener));
  }
  if (!options.socket_directory.empty())
    listeners.push_back(ListenAtSocket(options.socket_directory, options.socket_port));
  if (listeners.empty())
    throw Error(ErrorKind::kUsage, "22023", "there is neither an address nor a socket to listen at");
  for (const Listener& listener : listeners) {
    addresses.push_back(listener.address());
    fcntl(listener.descriptor(), F_SETFL, fcntl(listener.descriptor(), F_GETFL) | O_NONBLOCK);
  }
}

void Server::State::Accept(const Listener& listener) {
  const int descriptor = accept4(listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) {
    // Without descriptors or memory the client stays in the queue; asking again at once would not help.
    constexpr int kPauseMillis = 50;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      poll(nullptr, 0, kPauseMillis);
    return;
  }
  if (!listener.is_local()) {
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
  }
  const std::lock_guard lock(mutex);
  // Clients beyond the limit are told so when they have said what they want; a flood of them is not.
  constexpr size_t kMostRefused = 100;
  if (clients.size() >= options.max_connections + kMostRefused) {
    close(descriptor);
    return;
  }
  const bool is_refused = clients.size() >= options.max_connections;
  Client& client = clients.emplace_back(*this, descriptor, Admission{listener.is_local(), is_refused});
  const int code = StartThread(
      client.thread,
      [](void* argument) -> void* {
        Client& own = *static_cast<Client*>(argument);
        ServeClient(own.channel, own.state.database, own.state.context, own.admission);
        own.channel.Shutdown(false);
        State& state = own.state;
        const std::lock_guard ended_lock(state.mutex);
        own.has_ended = true;
        state.client_ended.notify_all();
        state.Wake();
        return nullptr;
      },
      &client);
  if (code != 0) clients.pop_back();
}

void Server::State::Reap() {
  std::list<Client> ended;
  {
    const std::lock_guard lock(mutex);
    for (auto client = clients.begin(); client != clients.end();) {
      const auto next = std::next(client);
      if (client->has_ended) ended.splice(ended.end(), clients, client);
      client = next;
    }
  }
  for (Client& client : ended) pthread_join(client.thread, nullptr);
}

void Server::State::AcceptClients() {
  std::vector<pollfd> wanted{{wake[0], POLLIN, 0}};
  for (const Listener& listener : listeners) wanted.push_back({listener.descriptor(), POLLIN, 0});
  while (!context.is_stopping) {
    if (poll(wanted.data(), wanted.size(), -1) < 0) continue;
    char bytes[64];
    while (read(wake[0], bytes, sizeof(bytes)) > 0) continue;
    Reap();
    for (size_t i = 0; i < listeners.size(); i++) {
      if ((wanted[i + 1].revents & POLLIN) != 0 && !context.is_stopping) Accept(listeners[i]);
    }
  }
}

void Server::State::StopClients() {
  context.registry.InterruptAll();
  std::unique_lock lock(mutex);
  for (Client& client : clients) client.channel.Shutdown(true);
  const auto all_ended = [this] {
    for (const Client& client : clients) {
      if (!client.has_ended) return false;
    }
    return true;
  };
  if (!client_ended.wait_for(lock, kGraceTime, all_ended)) {
    // A client that takes no rows, or a statement that came after the interrupt.
    context.registry.InterruptAll();
    for (Client& client : clients) client.channel.Shutdown(false);
    client_ended.wait(lock, all_ended);
  }
}

Server::Server(Database database, const ServerOptions& options)
    : state_(std::make_unique<State>(std::move(database), options)) {
  state_->Listen();
  if (pipe2(state_->wake, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error(ErrorKind::kIo, "58030", "the system has no pipe for the server");
  const int code = StartThread(
      state_->acceptor,
      [](void* argument) -> void* {
        static_cast<State*>(argument)->AcceptClients();
        return nullptr;
      },
      state_.get());
  if (code != 0) {
    close(state_->wake[0]);
    close(state_->wake[1]);
    throw Error(ErrorKind::kIo, "53000", "the system has no thread for the server");
  }
  state_->is_running = true;
}

Server::~Server() { Stop(); }

void Server::Stop() {
  const std::lock_guard lock(state_->stop_mutex);
  if (!state_->is_running) return;
  state_->is_running = false;
  state_->context.is_stopping = true;
  state_->Wake();
  pthread_join(state_->acceptor, nullptr);
  state_->listeners.clear();
  state_->StopClients();
  state_->Reap();
  close(state_->wake[0]);
  close(state_->wake[1]);
}

const std::vector<std::string>& Server::addresses() const { return state_->addresses; }

size_t Server::client_count() const {
  const std::lock_guard lock(state_->mutex);
  size_t count = 0;
  for (const State::Client& client : state_->clients) count += !client.has_ended;
  return count;
}

}  // namespace scaup::server
