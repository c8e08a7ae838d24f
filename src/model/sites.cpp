#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/frame.h"

namespace mjjit {

void compile_sites(Draft& d) {
  Model& m = d.m;
  for (const SpecSite* site : d.sites) {
    const std::string name = label("site", site->name);
    if (site->type == GEOM_PLANE || site->type == GEOM_HFIELD || site->type >= GEOM_MESH) {
      fail(site->source, "{}: type must be sphere, capsule, ellipsoid, cylinder or box", name);
    }
    const Placement at = place(site->type, {site->pos, site->quat}, site->fromto,
                               site->fromto_frame, site->size, site->source, name);
    check_size(site->type, at.size, site->source, name);
    m.site_type.push_back(site->type);
    m.site_size.insert(m.site_size.end(), at.size.begin(), at.size.end());
    m.site_pos.insert(m.site_pos.end(), at.pose.pos.begin(), at.pose.pos.end());
    m.site_quat.insert(m.site_quat.end(), at.pose.quat.begin(), at.pose.quat.end());
  }
}

}  // namespace mjjit
