// Opens listening sockets.
#include "listener.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "scaup/error.hpp"

namespace scaup::server {

namespace {

constexpr int kBacklog = 512;

[[noreturn]] void ThrowSystem(const std::string& what, int code) {
  throw Error(ErrorKind::kIo, code == EADDRINUSE ? "55006" : "58030", what + ": " + std::strerror(code));
}

/// Closes a descriptor unless it is released.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

bool IsLoopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& internet = reinterpret_cast<const sockaddr_in&>(address);
    constexpr uint32_t kLoopbackNet = 127;
    return ntohl(internet.sin_addr.s_addr) >> 24 == kLoopbackNet;
  }
  return address.sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

/// Returns where a socket listens, with the port that the system has chosen.
std::string AddressText(int descriptor) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr*>(&storage), size, host, sizeof(host), port, sizeof(port),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "?";
  }
  const bool is_six = storage.ss_family == AF_INET6;
  return (is_six ? "[" + std::string(host) + "]" : std::string(host)) + ":" + port;
}

Listener ListenAt(const addrinfo& place, const std::string& address) {
  Descriptor descriptor(socket(place.ai_family, place.ai_socktype | SOCK_CLOEXEC, place.ai_protocol));
  if (descriptor.get() < 0) ThrowSystem("cannot listen at " + address, errno);
  const int on = 1;
  setsockopt(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (place.ai_family == AF_INET6) setsockopt(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  if (bind(descriptor.get(), place.ai_addr, place.ai_addrlen) != 0 || listen(descriptor.get(), kBacklog) != 0)
    ThrowSystem("cannot listen at " + address, errno);
  std::string text = AddressText(descriptor.get());
  return Listener(descriptor.Release(), std::move(text), "");
}

/// Removes the file of a server that has ended without removing it. Throws if one listens there.
void RemoveStaleSocket(const sockaddr_un& name) {
  struct stat status {};
  if (lstat(name.sun_path, &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) ThrowSystem(std::string("cannot listen at ") + name.sun_path, EEXIST);
  const Descriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (probe.get() >= 0 && connect(probe.get(), reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0)
    ThrowSystem(std::string("another server listens at ") + name.sun_path, EADDRINUSE);
  unlink(name.sun_path);
}

}  // namespace

Listener::Listener(int descriptor, std::string address, std::string socket_path)
    : descriptor_(descriptor), address_(std::move(address)), socket_path_(std::move(socket_path)) {}

Listener::Listener(Listener&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      address_(std::move(other.address_)),
      socket_path_(std::exchange(other.socket_path_, "")) {}

Listener::~Listener() {
  if (descriptor_ < 0) return;
  if (!socket_path_.empty()) unlink(socket_path_.c_str());
  close(descriptor_);
}

std::vector<Listener> ListenAtAddress(const std::string& address, bool with_passwords) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, std::min(colon, address.size()));
  const std::string port = colon == std::string::npos ? "5432" : address.substr(colon + 1);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const bool is_any = host.empty() || host == "*";
  const int code = getaddrinfo(is_any ? nullptr : host.c_str(), port.c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  if (code != 0) {
    throw Error(ErrorKind::kUsage, "22023",
                "cannot listen at \"" + address + "\": " + gai_strerror(code) +
                    "; give an address as host:port, such as 127.0.0.1:5432");
  }
  std::vector<Listener> listeners;
  std::optional<Error> refusal;
  for (const addrinfo* place = found; place != nullptr; place = place->ai_next) {
    if (!with_passwords && !IsLoopback(*place->ai_addr)) {
      throw Error(ErrorKind::kUsage, "28000",
                  "other machines reach \"" + address +
                      "\": give a file of passwords, or listen at a loopback address such as 127.0.0.1");
    }
    try {
      listeners.push_back(ListenAt(*place, address));
    } catch (const Error& error) {
      // A machine without IPv6 still has names with such addresses.
      refusal = error;
    }
  }
  if (listeners.empty() && refusal) throw *refusal;
  return listeners;
}

Listener ListenAtSocket(const std::string& directory, uint16_t port) {
  const std::string path = directory + "/.s.PGSQL." + std::to_string(port);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path)) {
    throw Error(ErrorKind::kUsage, "22023",
                "the path of the socket is too long: \"" + path + "\"; choose a shorter folder");
  }
  path.copy(name.sun_path, path.size());
  if (mkdir(directory.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    ThrowSystem("cannot make the folder \"" + directory + "\"", errno);
  RemoveStaleSocket(name);
  Descriptor descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // Before the file exists: there is no moment at which others could connect.
  if (descriptor.get() < 0 || fchmod(descriptor.get(), S_IRWXU) != 0 ||
      bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&name), sizeof(name)) != 0 ||
      chmod(path.c_str(), S_IRWXU) != 0 || listen(descriptor.get(), kBacklog) != 0) {
    ThrowSystem("cannot listen at \"" + path + "\"", errno);
  }
  return Listener(descriptor.Release(), path, path);
}

}  // namespace scaup::server
