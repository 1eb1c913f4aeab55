// Files of passwords, and the system's users.
#include "authentication.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "scaup/error.hpp"
#include "scram.hpp"

namespace scaup::server {

namespace {

std::string ReadPrivateFile(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr)
    throw Error(ErrorKind::kIo, "58P01", "cannot open the file of passwords \"" + path + "\"");
  struct stat status {};
  const bool is_private = fstat(fileno(file), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  std::string text;
  char bytes[4096];
  size_t size = 0;
  while ((size = std::fread(bytes, 1, sizeof(bytes), file)) > 0) text.append(bytes, size);
  const bool has_failed = std::ferror(file) != 0;
  std::fclose(file);
  if (has_failed) throw Error(ErrorKind::kIo, "58030", "cannot read the file of passwords \"" + path + "\"");
  if (!is_private) {
    throw Error(ErrorKind::kUsage, "F0000",
                "others may read the file of passwords \"" + path + "\": chmod 600 it");
  }
  return text;
}

/// Reads "SCRAM-SHA-256$4096:salt$stored:server". Returns false if the text has another form.
bool ReadVerifier(std::string_view text, ScramVerifier& verifier) {
  constexpr std::string_view kName = "SCRAM-SHA-256$";
  if (!text.starts_with(kName)) return false;
  text.remove_prefix(kName.size());
  const size_t colon = text.find(':');
  const size_t dollar = text.find('$');
  const size_t last = text.rfind(':');
  if (colon == std::string_view::npos || dollar == std::string_view::npos || last < dollar || colon > dollar)
    return false;
  const auto number = std::from_chars(text.data(), text.data() + colon, verifier.iterations);
  constexpr size_t kKeyBytes = 32;
  return number.ec == std::errc() && number.ptr == text.data() + colon && verifier.iterations != 0 &&
         DecodeBase64(text.substr(colon + 1, dollar - colon - 1), verifier.salt) &&
         DecodeBase64(text.substr(dollar + 1, last - dollar - 1), verifier.stored_key) &&
         DecodeBase64(text.substr(last + 1), verifier.server_key) && !verifier.salt.empty() &&
         verifier.stored_key.size() == kKeyBytes && verifier.server_key.size() == kKeyBytes;
}

}  // namespace

PasswordFile::PasswordFile(const std::string& path) {
  if (!HaveScram()) {
    throw Error(ErrorKind::kUsage, "0A000",
                "passwords need OpenSSL, which this build lacks: install libssl-dev and build again");
  }
  const std::string text = ReadPrivateFile(path);
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    number++;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const size_t colon = line.find(':');
    const bool is_complete = colon != std::string_view::npos && colon != 0 && colon + 1 < line.size();
    if (!is_complete) {
      throw Error(ErrorKind::kUsage, "F0000",
                  "line " + std::to_string(number) + " of \"" + path + "\" is no user:password");
    }
    const std::string_view secret = line.substr(colon + 1);
    ScramVerifier verifier;
    if (!ReadVerifier(secret, verifier)) verifier = MakeVerifier(secret);
    users_[std::string(line.substr(0, colon))] = std::move(verifier);
  }
}

const ScramVerifier* PasswordFile::Find(std::string_view user) const {
  const auto found = users_.find(user);
  return found == users_.end() ? nullptr : &found->second;
}

bool IsSameUser(int descriptor) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

}  // namespace scaup::server
