// sha224, sha256, sha384 and sha512 (FIPS 180-4) of a BLOB.
#include <bit>
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The first 64 fraction bits of the cube roots of the first 80 primes. The 32-bit functions use the upper
/// halves of the first 64.
constexpr uint64_t kRoundConstants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/// The first 64 fraction bits of the square roots of the first 16 primes.
constexpr uint64_t kRoots[16] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

/// The differences between the functions on 32-bit and on 64-bit words.
template <typename Word>
struct Sha2;
template <>
struct Sha2<uint32_t> {
  static constexpr unsigned kRounds = 64;
  static constexpr int kBigSigma0[] = {2, 13, 22}, kBigSigma1[] = {6, 11, 25};
  static constexpr int kSmallSigma0[] = {7, 18, 3}, kSmallSigma1[] = {17, 19, 10};
};
template <>
struct Sha2<uint64_t> {
  static constexpr unsigned kRounds = 80;
  static constexpr int kBigSigma0[] = {28, 34, 39}, kBigSigma1[] = {14, 18, 41};
  static constexpr int kSmallSigma0[] = {1, 8, 7}, kSmallSigma1[] = {19, 61, 6};
};

template <typename Word>
Word RotateThrice(Word x, const int (&by)[3]) {
  return std::rotr(x, by[0]) ^ std::rotr(x, by[1]) ^ std::rotr(x, by[2]);
}
template <typename Word>
Word RotateAndShift(Word x, const int (&by)[3]) {
  return std::rotr(x, by[0]) ^ std::rotr(x, by[1]) ^ (x >> by[2]);
}

template <typename Word>
void AddBlock(Word (&state)[8], const unsigned char* block) {
  using Parameters = Sha2<Word>;
  Word schedule[Parameters::kRounds];
  for (unsigned i = 0; i < 16; i++) {
    Word word = 0;
    for (unsigned byte = 0; byte < sizeof(Word); byte++) {
      word = static_cast<Word>(word << 8) | block[i * sizeof(Word) + byte];
    }
    schedule[i] = word;
  }
  for (unsigned i = 16; i < Parameters::kRounds; i++) {
    schedule[i] = schedule[i - 16] + RotateAndShift(schedule[i - 15], Parameters::kSmallSigma0) +
                  schedule[i - 7] + RotateAndShift(schedule[i - 2], Parameters::kSmallSigma1);
  }
  Word v[8];
  std::memcpy(v, state, sizeof(v));
  for (unsigned i = 0; i < Parameters::kRounds; i++) {
    const Word choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    const Word majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    const Word constant = static_cast<Word>(kRoundConstants[i] >> (64 - 8 * sizeof(Word)));
    const Word first = v[7] + RotateThrice(v[4], Parameters::kBigSigma1) + choice + constant + schedule[i];
    const Word second = RotateThrice(v[0], Parameters::kBigSigma0) + majority;
    for (unsigned j = 7; j > 0; j--) v[j] = v[j - 1];
    v[4] += first;
    v[0] = first + second;
  }
  for (unsigned i = 0; i < 8; i++) state[i] += v[i];
}

/// `state` holds the initial values, and afterwards the digest.
template <typename Word>
void Digest(std::string_view message, Word (&state)[8], unsigned char* out) {
  constexpr size_t kBlockBytes = 16 * sizeof(Word), kLengthBytes = 2 * sizeof(Word);
  const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
  const size_t whole = message.size() / kBlockBytes * kBlockBytes;
  for (size_t offset = 0; offset < whole; offset += kBlockBytes) AddBlock(state, bytes + offset);
  // The rest, a one bit, zeros, and the length in bits fill one or two blocks.
  unsigned char tail[2 * kBlockBytes] = {};
  const size_t rest = message.size() - whole;
  if (rest > 0) std::memcpy(tail, bytes + whole, rest);
  tail[rest] = 0x80;
  const size_t tail_size = rest + 1 + kLengthBytes <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
  const uint64_t bits = uint64_t{message.size()} * 8;
  for (unsigned i = 0; i < 8; i++) tail[tail_size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (size_t offset = 0; offset < tail_size; offset += kBlockBytes) AddBlock(state, tail + offset);
  for (unsigned i = 0; i < 8 * sizeof(Word); i++) {
    const unsigned shift = 8 * static_cast<unsigned>(sizeof(Word) - 1 - i % sizeof(Word));
    out[i] = static_cast<unsigned char>(state[i / sizeof(Word)] >> shift);
  }
}

/// The digest has `kBytes` bytes; up to 32 it is computed on 32-bit words, otherwise on 64-bit words.
template <size_t kBytes>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  using Word = std::conditional_t<kBytes <= 32, uint32_t, uint64_t>;
  MapUnary<StringRef, StringRef>(
      arguments.column(0), arguments.size(), result, [&](const StringRef& message) {
        Word state[8];
        for (unsigned i = 0; i < 8; i++) {
          if constexpr (kBytes == 28) {
            state[i] = static_cast<uint32_t>(kRoots[i + 8]);  // The second 32 bits.
          } else if constexpr (kBytes == 32) {
            state[i] = static_cast<uint32_t>(kRoots[i] >> 32);
          } else {
            state[i] = kRoots[kBytes == 48 ? i + 8 : i];
          }
        }
        unsigned char digest[8 * sizeof(Word)];
        Digest(message.view(), state, digest);
        return result.AddString({reinterpret_cast<const char*>(digest), kBytes});
      });
}

}  // namespace

ScalarFunctionList Sha2Functions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {TypeId::kBlob},
                    .return_type = TypeId::kBlob,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  add("sha224", &Kernel<28>, "The SHA-224 hash of bytes.", "encode(sha224('scaup'), 'hex')");
  add("sha256", &Kernel<32>, "The SHA-256 hash of bytes.", "encode(sha256('scaup'), 'hex')");
  add("sha384", &Kernel<48>, "The SHA-384 hash of bytes.", "encode(sha384('scaup'), 'hex')");
  add("sha512", &Kernel<64>, "The SHA-512 hash of bytes.", "encode(sha512('scaup'), 'hex')");
  return list;
}

}  // namespace scaup
