#include "base/numbers.h"

#include "catch.h"

using namespace mjjit;

TEST_CASE("a number is read from the whole word", "[numbers]") {
  double x = 7;
  CHECK(parse_number("1.5", x) == NumberStatus::good);
  CHECK(x == 1.5);
  CHECK(parse_number("+2e3", x) == NumberStatus::good);
  CHECK(x == 2000);
  CHECK(parse_number("-.5", x) == NumberStatus::good);
  CHECK(x == -0.5);
}

TEST_CASE("what is not a plain decimal number is malformed and leaves the target alone",
          "[numbers]") {
  double x = 7;
  for (const char* word :
       {"", "1.5abc", "1,5", "0x10", "nan", "inf", "-inf", "+-1", "++1", "e5", "1 2"}) {
    INFO(word);
    CHECK(parse_number(word, x) == NumberStatus::malformed);
    CHECK(x == 7);
  }
}

TEST_CASE("overflow is told apart from underflow, which gives zero", "[numbers]") {
  double x = 7;
  CHECK(parse_number("1e400", x) == NumberStatus::too_large);
  CHECK(parse_number("-1e400", x) == NumberStatus::too_large);
  CHECK(x == 7);
  CHECK(parse_number("1e-400", x) == NumberStatus::good);
  CHECK(x == 0);
}

TEST_CASE("a whole number has no fraction and fits an int", "[numbers]") {
  int i = 7;
  CHECK(parse_number("-12", i) == NumberStatus::good);
  CHECK(i == -12);
  CHECK(parse_number("1.0", i) == NumberStatus::malformed);
  CHECK(parse_number("5000000000", i) == NumberStatus::too_large);
  CHECK(i == -12);
}

TEST_CASE("words are separated by any white space", "[numbers]") {
  std::string_view text = "  1\t\n22  3 ";
  CHECK(next_word(text) == "1");
  CHECK(next_word(text) == "22");
  CHECK(next_word(text) == "3");
  CHECK(next_word(text).empty());
}
