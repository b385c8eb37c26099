#include "sha256.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>

namespace strata::deck {

namespace {

constexpr std::size_t block_bytes = 64;

using State = std::array<std::uint32_t, 8>;

// FIPS 180-4, section 4.2.2: fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

/// The message schedule of one block (section 6.2.2, step 1).
std::array<std::uint32_t, 64> schedule(std::string_view block)
{
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < block_bytes; ++i)
    w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(block[i]);
  for (std::size_t t = 16; t < w.size(); ++t) {
    auto const s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    auto const s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  return w;
}

void compress(State& hash, std::string_view block)
{
  auto const w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < w.size(); ++t) {
    auto const sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    auto const choice = (e & f) ^ (~e & g);
    auto const temp1 = h + sum1 + choice + round_constants[t] + w[t];
    auto const sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    auto const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + temp1;
    d = c;
    c = b;
    b = a;
    a = temp1 + sum0 + majority;
  }
  std::ranges::transform(hash, State{a, b, c, d, e, f, g, h}, hash.begin(), std::plus{});
}

/// The bytes with the padding of section 5.1.1: a one bit, zeros and the length in bits.
std::string padded(std::string_view bytes)
{
  std::string message(bytes);
  message += '\x80';
  message.resize((message.size() + 8 + block_bytes - 1) / block_bytes * block_bytes - 8);
  for (int shift = 56; shift >= 0; shift -= 8)
    message += static_cast<char>(std::uint64_t{bytes.size()} * 8 >> shift & 0xff);
  return message;
}

} // namespace

std::string sha256(std::string_view bytes)
{
  State hash{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string const message = padded(bytes);
  for (std::size_t start = 0; start < message.size(); start += block_bytes)
    compress(hash, std::string_view(message).substr(start, block_bytes));

  std::string digits;
  for (auto const word : hash)
    for (int shift = 28; shift >= 0; shift -= 4)
      digits += "0123456789abcdef"[word >> shift & 0xf];
  return digits;
}

} // namespace strata::deck
