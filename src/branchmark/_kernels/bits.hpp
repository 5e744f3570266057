// Sets of small integers in a fixed number of words.
#pragma once

#include <algorithm>
#include <cstdint>

namespace branchmark {

template <int Words>
struct Bits {
  uint64_t word[Words] = {};

  void set(int32_t i) { word[i >> 6] |= uint64_t(1) << (i & 63); }
  bool has(int32_t i) const { return word[i >> 6] >> (i & 63) & 1; }
  int32_t count() const {
    int32_t total = 0;
    for (const uint64_t w : word) total += __builtin_popcountll(w);
    return total;
  }
  bool empty() const {
    for (const uint64_t w : word)
      if (w) return false;
    return true;
  }
  bool contains(const Bits& other) const {
    for (int i = 0; i < Words; ++i)
      if (other.word[i] & ~word[i]) return false;
    return true;
  }
  bool operator==(const Bits& other) const { return std::equal(word, word + Words, other.word); }
  Bits& operator|=(const Bits& other) {
    for (int i = 0; i < Words; ++i) word[i] |= other.word[i];
    return *this;
  }
  friend Bits operator|(Bits left, const Bits& right) { return left |= right; }
  friend Bits operator&(Bits left, const Bits& right) {
    for (int i = 0; i < Words; ++i) left.word[i] &= right.word[i];
    return left;
  }
  Bits without(const Bits& other) const {
    Bits left = *this;
    for (int i = 0; i < Words; ++i) left.word[i] &= ~other.word[i];
    return left;
  }
};

}  // namespace branchmark
