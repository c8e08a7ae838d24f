#include "sim/sizing.h"

#include <algorithm>
#include <cstdint>

#include "../../kernels/enums.cuh"
#include "base/error.h"

namespace mjjit {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t kMost =
    1 << 28;  // keeps products of sizes within an int for the kernels' offsets in one world

int clamp_size(std::int64_t wanted, std::int64_t bound) {
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 0, std::min(bound, kMost)));
}

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

/// Contacts that all pairs of the scene together can make: a primitive or convex pair gives up to
/// 8, a height field 50.
std::int64_t most_contacts(const Model& model) {
  return 8LL * (model.npair_primitive + model.npair_convex) + 50LL * model.npair_hfield;
}

/// Rows of one contact of the largest dimension in the scene.
int rows_per_contact(const Model& model) {
  int condim = 1;
  for (int i = 0; i < model.ngeompair; ++i) {
    const int pair = model.geompair_pairid[index(i)];
    for (int side = 0; side < 2; ++side) {
      const int geom = model.geompair_geom[index(2 * i + side)];
      condim = std::max(condim,
                        pair >= 0 ? model.pair_dim[index(pair)] : model.geom_condim[index(geom)]);
    }
  }
  return condim == 1 ? 1 : model.opt_cone[0] == CONE_ELLIPTIC ? condim : 2 * (condim - 1);
}

/// Rows of the constraints that do not come from contacts, all of them active at once.
std::int64_t other_rows(const Model& model) {
  std::int64_t rows = 0;
  for (const int type : model.eq_type) {
    rows += type == EQ_CONNECT ? 3 : type == EQ_WELD ? 6 : 1;
  }
  for (const double loss : model.dof_frictionloss) {
    rows += loss > 0 ? 1 : 0;
  }
  for (int joint = 0; joint < model.njnt; ++joint) {
    const bool limited = model.jnt_limited[index(joint)] != 0;
    rows += !limited ? 0 : model.jnt_type[index(joint)] == JNT_BALL ? 1 : 2;
  }
  return rows;
}

std::int64_t most_rows(const Model& model, std::int64_t contacts) {
  return other_rows(model) + contacts * rows_per_contact(model);
}

/// The lists of pairs beside nconmax contacts: more pairs are near than touch.
int near_primitive(const Model& model, int nconmax) {
  return clamp_size(4LL * nconmax + 64, model.npair_primitive);
}
int near_convex(const Model& model, int nconmax) {
  return clamp_size(2LL * nconmax + 16, model.npair_convex);
}

}  // namespace

SizeRequest guess_sizes(const Model& model, const SizeRequest& request) {
  SizeRequest guess = request;
  const std::int64_t contacts =
      request.nconmax ? *request.nconmax
                      : std::min<std::int64_t>(most_contacts(model), 16 + 4LL * model.nbody);
  guess.nconmax = clamp_size(contacts, kMost);
  if (!request.njmax) {
    guess.njmax = clamp_size(round_up(most_rows(model, contacts), 8), kMost);
  }
  return guess;
}

SizeRequest sizes_from_demand(const Model& model, const SizeRequest& request,
                              const Demand& demand) {
  // 30 % and a few more: a trial sees fewer worlds and steps than the run
  auto roomy = [](int wanted, int few, int step) {
    return wanted == 0 ? 0 : round_up(wanted * 13LL / 10 + few, step);
  };
  SizeRequest sizes = request;
  if (!sizes.nconmax) {
    // primitive pairs have room for 4 nconmax + 64, so enough of them ask for more contacts
    const std::int64_t for_pairs = (roomy(demand.nprimitive, 2, 4) - 64 + 3) / 4;
    sizes.nconmax = clamp_size(std::max(roomy(demand.ncon, 2, 4), for_pairs), most_contacts(model));
  }
  if (!sizes.njmax) {
    sizes.njmax =
        clamp_size(roomy(demand.nefc, 4, 8), round_up(most_rows(model, most_contacts(model)), 8));
  }
  if (!sizes.nccdmax) {
    sizes.nccdmax = clamp_size(roomy(demand.nccd, 2, 4), model.npair_convex);
  }
  return sizes;
}

SizeRequest enlarged(const Model& model, const SizeRequest& request, const SizeRequest& tried,
                     const Demand& demand) {
  const RunSizes room = run_sizes(model, tried);
  Demand more = demand;  // twice of what did not fit: what was dropped may have asked for more
  auto grow = [](int wanted, int had) { return wanted > had ? std::max(wanted, 2 * had) : had; };
  more.ncon = grow(demand.ncon, *tried.nconmax);
  more.nefc = grow(demand.nefc, *tried.njmax);
  more.nccd = grow(demand.nccd, room.nccdmax);
  SizeRequest sizes = sizes_from_demand(model, request, more);
  if (!request.nconmax && demand.ncon <= *tried.nconmax &&
      demand.nprimitive <= room.nprimitivemax) {
    sizes.nconmax = tried.nconmax;
  }
  if (!request.njmax && demand.nefc <= *tried.njmax) {
    sizes.njmax = tried.njmax;
  }
  if (!request.nccdmax && demand.nccd <= room.nccdmax) {
    sizes.nccdmax = tried.nccdmax;
  }
  return sizes;
}

RunSizes run_sizes(const Model& model, const SizeRequest& sizes) {
  RunSizes out;
  out.nconmax = std::max(1, *sizes.nconmax);
  out.njmax = std::max(1, *sizes.njmax);
  out.nccdmax = sizes.nccdmax ? *sizes.nccdmax : near_convex(model, *sizes.nconmax);
  out.nprimitivemax = near_primitive(model, *sizes.nconmax);
  return complete_sizes(model, out);
}

std::vector<Overflow> overflows(const Model& model, const SizeRequest& sizes,
                                const Demand& demand) {
  const RunSizes room = run_sizes(model, sizes);
  const SizeRequest better = sizes_from_demand(model, SizeRequest{}, demand);
  std::vector<Overflow> out;
  if (demand.ncon > *sizes.nconmax) {
    out.push_back(
        {"nconmax", *sizes.nconmax, demand.ncon, 0, fmt::format("--nconmax {}", *better.nconmax)});
  }
  if (demand.nefc > *sizes.njmax) {
    out.push_back(
        {"njmax", *sizes.njmax, demand.nefc, 0, fmt::format("--njmax {}", *better.njmax)});
  }
  const int nccdmax = sizes.nccdmax ? *sizes.nccdmax : room.nccdmax;
  if (demand.nccd > nccdmax) {
    out.push_back(
        {"nccdmax", nccdmax, demand.nccd, 0, fmt::format("--nccdmax {}", *better.nccdmax)});
  }
  if (demand.nprimitive > room.nprimitivemax) {
    out.push_back({"list of near primitive pairs, 4 nconmax + 64,", room.nprimitivemax,
                   demand.nprimitive, 0, fmt::format("--nconmax {}", *better.nconmax)});
  }
  return out;
}

std::string size_flags(const Model& model, const SizeRequest& sizes) {
  std::string flags = fmt::format("--nconmax {} --njmax {}", *sizes.nconmax, *sizes.njmax);
  if (model.npair_convex > 0) {
    flags += fmt::format(" --nccdmax {}",
                         sizes.nccdmax ? *sizes.nccdmax : run_sizes(model, sizes).nccdmax);
  }
  return flags;
}

}  // namespace mjjit
