#include <algorithm>
#include <cmath>
#include <numbers>

#include "../../kernels/enums.cuh"
#include "model/pose.h"
#include "model/shape.h"

namespace mjjit {
namespace {

/// A node of the 15-point Kronrod rule on [0, 1] after the change of variables l = x^3 / (1 - x)^2,
/// which maps it onto [0, infinity): the weight, l, and dl/dx. The weights have the eight digits
/// that MuJoCo gives them.
struct Node {
  double weight, l, dl;
};
constexpr Node kNodes[] = {
    {0.01146766, 7.865151709349917e-08, 5.538677720489877e-05},
    {0.03154605, 1.7347976913907274e-05, 0.002080868285293228},
    {0.05239501, 0.0003548008144506193, 0.016514126520723166},
    {0.07032663, 0.002846636252924549, 0.07261900344370877},
    {0.08450236, 0.014094260903596077, 0.23985243401862602},
    {0.09517529, 0.053063261727396636, 0.6868318249020725},
    {0.10221647, 0.17041978741317773, 1.8551129519182894},
    {0.10474107, 0.5, 5.0},
    {0.10221647, 1.4036301548686991, 14.060031152313941},
    {0.09517529, 3.9353484827022642, 43.28941239611009},
    {0.08450236, 11.644841677041734, 156.58546376397112},
    {0.07032663, 39.53187807410903, 747.9826085305024},
    {0.05239501, 177.5711362220801, 5827.4042950027115},
    {0.03154605, 1429.4772912937397, 116754.0197944512},
    {0.01146766, 54087.416549217705, 25482945.327264845},
};

double square(double x) { return x * x; }

/// The added-mass integral along the axis of half length a:
/// integral over l from 0 to infinity of a b c / sqrt((a^2 + l)^3 (b^2 + l) (c^2 + l))
double added_mass_kappa(double a, double b, double c) {
  const double inverse_a = 1 / square(a), inverse_b = 1 / square(b), inverse_c = 1 / square(c);
  const double scale =
      std::pow(a * a * a * b * c, 0.4);  // keeps l near the squares of the half axes
  double kappa = 0;
  for (const Node& node : kNodes) {
    const double l = scale * node.l;
    const double along = 1 + l * inverse_a;
    const double below = along * std::sqrt(along * (1 + l * inverse_b) * (1 + l * inverse_c));
    kappa += scale * node.dl / below * node.weight;
  }
  return kappa * inverse_a;
}

/// Virtual inertia about an axis over volume / 5, from the other two half axes and their kappas.
double inertia_factor(double a, double b, double kappa_a, double kappa_b) {
  const double difference = square(a) - square(b), sum = square(a) + square(b);
  const double below = std::abs(2 * difference + sum * (kappa_a - kappa_b));
  return square(difference) * std::abs(kappa_b - kappa_a) / std::max(kTiny, below);
}

}  // namespace

std::array<double, 12> fluid_coefficients(const Shape& shape, const std::array<double, 5>& user) {
  const Vec3 a = shape_half_box(shape);
  const double volume = 4.0 / 3.0 * std::numbers::pi * a[0] * a[1] * a[2];
  const Vec3 kappa = {added_mass_kappa(a[0], a[1], a[2]), added_mass_kappa(a[1], a[2], a[0]),
                      added_mass_kappa(a[2], a[0], a[1])};
  std::array<double, 12> out = {1, user[0], user[1], user[2], user[3], user[4]};
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    out[6 + axis] = volume * kappa[axis] / std::max(kTiny, 2 - kappa[axis]);
    out[9 + axis] = volume * inertia_factor(a[next], a[last], kappa[next], kappa[last]) / 5;
  }
  return out;
}

}  // namespace mjjit
