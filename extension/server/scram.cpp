// The server's side of SCRAM-SHA-256.
#include "scram.hpp"

#include "random_bytes.hpp"
#include "scaup/error.hpp"

#ifdef SCAUP_HAVE_OPENSSL
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#endif

namespace scaup::server {

namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    for (size_t j = 0; j < 3; j++)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; j++) text.push_back(j <= count ? kAlphabet[group >> (18 - 6 * j) & 63] : '=');
  }
  return text;
}

bool DecodeBase64(std::string_view text, std::string& bytes) {
  if (text.size() % 4 != 0) return false;
  while (text.ends_with('=')) text.remove_suffix(1);
  uint32_t group = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const size_t digit = std::string_view(kAlphabet).find(c);
    if (digit == std::string_view::npos) return false;
    group = group << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(group >> bits));
  }
  return true;
}

#ifdef SCAUP_HAVE_OPENSSL

namespace {

constexpr uint32_t kIterations = 4096;
constexpr size_t kSaltBytes = 16;
constexpr size_t kNonceBytes = 18;
constexpr char kMechanism[] = "SCRAM-SHA-256";

std::string Hmac(std::string_view key, std::string_view text) {
  std::string mac(SHA256_DIGEST_LENGTH, '\0');
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(mac.data()), &size);
  return mac;
}

std::string Sha256(std::string_view text) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

std::string RandomText(size_t size) {
  std::string bytes(size, '\0');
  FillRandom(bytes.data(), bytes.size());
  return bytes;
}

/// Returns the value of an attribute "x=value", which ends at a comma; throws ProtocolError if it is missing.
std::string_view TakeAttribute(std::string_view& message, char name) {
  if (message.size() < 2 || message[0] != name || message[1] != '=')
    throw ProtocolError("a message of SCRAM is malformed");
  const size_t end = std::min(message.find(','), message.size());
  const std::string_view value = message.substr(2, end - 2);
  message.remove_prefix(std::min(end + 1, message.size()));
  return value;
}

constexpr size_t kMostPasswordBytes = 8192;

std::string_view ReadPasswordMessage(Channel& channel) {
  const Message message = channel.ReadMessage(kMostPasswordBytes);
  if (message.type != 'p') throw ProtocolError("a password was expected");
  return message.body;
}

void SendAuthentication(int32_t code, std::string_view data, Channel& channel) {
  const MessageScope message('R', channel.out());
  PutBig(code, channel.out());
  channel.out().append(data);
}

/// The first message of the client, without the part about channel binding.
struct FirstMessage {
  std::string header;  ///< "n,,"
  std::string bare;
  std::string nonce;
};

FirstMessage ReadFirst(Channel& channel) {
  MessageReader reader(ReadPasswordMessage(channel));
  if (reader.CString() != kMechanism)
    throw ProtocolError("the client wants another mechanism than SCRAM-SHA-256");
  const auto field = reader.Field();
  reader.RequireEnd();
  if (!field) throw ProtocolError("the first message of SCRAM is missing");
  std::string_view text = *field;
  // "y" says that the client would bind the channel if the server could; "p" that it does.
  if (!text.starts_with("n,") && !text.starts_with("y,"))
    throw ProtocolError("channel binding was not offered");
  const size_t end = text.find(',', 2);
  if (end == std::string_view::npos || end != 2)
    throw ProtocolError("an identity other than the user is not possible");
  FirstMessage first;
  first.header = text.substr(0, 3);
  text.remove_prefix(3);
  first.bare = text;
  TakeAttribute(text, 'n');
  first.nonce = TakeAttribute(text, 'r');
  return first;
}

}  // namespace

bool HaveScram() { return true; }

ScramVerifier MakeVerifier(std::string_view password) {
  ScramVerifier verifier;
  verifier.iterations = kIterations;
  verifier.salt = RandomText(kSaltBytes);
  std::string salted(SHA256_DIGEST_LENGTH, '\0');
  PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()),
                    reinterpret_cast<const unsigned char*>(verifier.salt.data()),
                    static_cast<int>(verifier.salt.size()), kIterations, EVP_sha256(), SHA256_DIGEST_LENGTH,
                    reinterpret_cast<unsigned char*>(salted.data()));
  verifier.stored_key = Sha256(Hmac(salted, "Client Key"));
  verifier.server_key = Hmac(salted, "Server Key");
  return verifier;
}

bool ProvePassword(const PasswordFile& passwords, std::string_view user, Channel& channel) {
  constexpr int32_t kSasl = 10, kSaslContinue = 11, kSaslFinal = 12;
  SendAuthentication(kSasl, std::string(kMechanism) + '\0' + '\0', channel);
  channel.Flush();
  // An unknown user gets the same messages, with a salt that stays the same for each name and start.
  static const std::string& unknown_key = *new std::string(RandomText(kSaltBytes));
  ScramVerifier verifier;
  const ScramVerifier* known = passwords.Find(user);
  if (known != nullptr) {
    verifier = *known;
  } else {
    verifier.iterations = kIterations;
    verifier.salt = Hmac(unknown_key, user).substr(0, kSaltBytes);
    verifier.stored_key = verifier.server_key = RandomText(SHA256_DIGEST_LENGTH);
  }
  const FirstMessage first = ReadFirst(channel);
  const std::string nonce = first.nonce + EncodeBase64(RandomText(kNonceBytes));
  const std::string answer =
      "r=" + nonce + ",s=" + EncodeBase64(verifier.salt) + ",i=" + std::to_string(verifier.iterations);
  SendAuthentication(kSaslContinue, answer, channel);
  channel.Flush();

  const std::string last(ReadPasswordMessage(channel));
  const size_t proof_begin = last.rfind(",p=");
  if (proof_begin == std::string::npos) throw ProtocolError("the proof of SCRAM is missing");
  std::string_view rest = last;
  const std::string_view binding = TakeAttribute(rest, 'c');
  const bool has_nonce = TakeAttribute(rest, 'r') == nonce && binding == EncodeBase64(first.header);
  std::string proof;
  const bool is_decoded = DecodeBase64(std::string_view(last).substr(proof_begin + 3), proof);
  const std::string signed_text = first.bare + "," + answer + "," + last.substr(0, proof_begin);
  const std::string signature = Hmac(verifier.stored_key, signed_text);
  if (!has_nonce || !is_decoded || proof.size() != signature.size()) return false;
  for (size_t i = 0; i < proof.size(); i++) proof[i] = static_cast<char>(proof[i] ^ signature[i]);
  const std::string key = Sha256(proof);
  if (CRYPTO_memcmp(key.data(), verifier.stored_key.data(), key.size()) != 0 || known == nullptr)
    return false;
  SendAuthentication(kSaslFinal, "v=" + EncodeBase64(Hmac(verifier.server_key, signed_text)), channel);
  return true;
}

#else

bool HaveScram() { return false; }

ScramVerifier MakeVerifier(std::string_view) { return {}; }

bool ProvePassword(const PasswordFile&, std::string_view, Channel&) { return false; }

#endif

}  // namespace scaup::server
