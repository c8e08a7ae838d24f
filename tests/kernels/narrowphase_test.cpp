#include "catch.h"
#include "kernels/scenes.h"

namespace {

void check_contacts(const Reference& run) {
  for (const char* field : {"d.contact.geom", "d.contact.dist", "d.contact.pos", "d.contact.frame",
                            "d.contact.includemargin", "d.contact.friction", "d.contact.solref",
                            "d.contact.solimp", "d.contact.dim"}) {
    INFO(field);
    CHECK(run.error(field) <= 1);
  }
}

}  // namespace

TEST_CASE("contacts of capsules and spheres with a plane are MuJoCo's", "[kernels]") {
  check_contacts(reference("humanoid"));
}

TEST_CASE("contacts of primitive, convex, mesh and height-field pairs are MuJoCo's", "[kernels]") {
  check_contacts(reference("mixed"));
}

// a mesh touches a mesh with an edge that lies in the face EPA ends with: which of its ends is the
// support point is rounding, and a float run must not stop one face before a double run does
TEST_CASE("contacts of meshes in single precision are MuJoCo's", "[kernels]") {
  check_contacts(reference("pinch", "float"));
}
