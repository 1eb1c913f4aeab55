// Computes with exact numbers, line by line, for exact_numbers.py: "operation\ta\tb" in, the result's text
// out.
#include <iostream>
#include <string>

#include "unit/type/numeric_answer.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    const std::string_view pair(line);
    std::cout << scaup::NumericAnswerOf(line.substr(0, first), pair.substr(first + 1, second - first - 1),
                                        pair.substr(second + 1))
              << '\n';
  }
}
