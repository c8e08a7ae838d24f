#pragma once

#include <string_view>

namespace mjjit::mjcf {

// The table is written as text; schema.cpp turns it into rules.
//
// id          "equality.joint": the tag is what follows the dot
// attributes  words "name:type", with '!' for a required one and '~' for one that default classes
//             cannot set; "@group" puts in the attributes of the row "@group"; a single "*" means
//             that nothing is looked at
// children    ids, with '?' for a child that may stand only once
// presence    "one a b+c": at most one of the bundles, "some a b+c": at least one is complete,
//             "all a b": all or none
//
// types       s text, c3 three characters, d number, d3 three of them, d1-3 one to three, d* any
//             number of them, f number of single precision and i whole number (same forms), b true
//             or false, k:set one keyword of a set, m:set several keywords; numbers without a value
//             count as not given, but for those marked '^', of which there must be one

/// One row of the table of elements.
struct TableRow {
  std::string_view id, attributes, children = {}, presence = {};
};

// clang-format off
inline constexpr TableRow kTable[] = {
// groups
{"@orientation", "quat:d4 axisangle:d4 xyaxes:d6 zaxis:d3 euler:d3"},
{"@actuator", "name:s class:s group:i nsample:i interp:k:interp delay:d ctrlrange:d2 user:d*"},
{"@force", "forcelimited:k:auto_bool forcerange:d2"},
{"@control", "ctrllimited:k:auto_bool"},
{"@activation", "actlimited:k:auto_bool actrange:d2"},
{"@drive", "lengthrange:d2~ gear:d1-6 damping:d1-3 armature:d cranklength:d"},
{"@transmission", "joint:s~ jointinparent:s~ tendon:s~ slidersite:s~ cranksite:s~ site:s~ refsite:s~"},
{"@sensor", "name:s nsample:i interp:k:interp delay:d interval:d1-2 cutoff:d noise:d user:d*"},
{"@object", "objtype:k:frameobj! objname:s!"},
{"@reference", "reftype:k:frameobj refname:s"},
{"@equality", "name:s class:s active:b solref:d1-2 solimp:d1-5"},
{"@contact", "contype:i conaffinity:i condim:i priority:i friction:d1-3 solmix:d solref:d1-2 solimp:d1-5 margin:d gap:d"},
{"@tendon", "name:s class:s group:i limited:k:auto_bool actuatorfrclimited:k:auto_bool range:d2 actuatorfrcrange:d2 "
  "solreflimit:d1-2 solimplimit:d1-5 solreffriction:d1-2 solimpfriction:d1-5 frictionloss:d springlength:d1-2 "
  "springyield:d margin:d stiffness:d1-3 damping:d1-3 armature:d user:d*"},

// the file
{"mujoco", "model:s", "compiler option size statistic visual default extension asset worldbody deformable contact tendon "
  "equality actuator sensor custom keyframe"},
{"compiler", "autolimits:b boundmass:d boundinertia:d settotalmass:d balanceinertia:b strippath:b coordinate:k:coordinate "
  "angle:k:angle fitaabb:b eulerseq:c3 meshdir:s texturedir:s assetdir:s discardvisual:b usethread:b fusestatic:b "
  "inertiafromgeom:k:auto_bool inertiagrouprange:i2 saveinertial:b savecanonical:b savecompiled:b alignfree:b "
  "conflict:k:conflict passthrough:k:passthrough", "lengthrange?"},
{"lengthrange", "mode:k:lrmode useexisting:b uselimit:b accel:d maxforce:d timeconst:d timestep:d inttotal:d interval:d "
  "tolrange:d"},
{"option", "timestep:d impratio:d tolerance:d ls_tolerance:d noslip_tolerance:d ccd_tolerance:d sleep_tolerance:d "
  "gravity:d3 wind:d3 magnetic:d3 density:d viscosity:d o_margin:d o_solref:d1-2 o_solimp:d1-5 o_friction:d1-5 "
  "integrator:k:integrator cone:k:cone jacobian:k:jacobian solver:k:solver iterations:i ls_iterations:i "
  "noslip_iterations:i ccd_iterations:i sdf_iterations:i sdf_initpoints:i actuatorgroupdisable:i*", "flag?"},
{"flag", "constraint:k:switch equality:k:switch frictionloss:k:switch limit:k:switch contact:k:switch spring:k:switch "
  "damper:k:switch gravity:k:switch clampctrl:k:switch warmstart:k:switch filterparent:k:switch actuation:k:switch "
  "refsafe:k:switch sensor:k:switch midphase:k:switch eulerdamp:k:switch autoreset:k:switch nativeccd:k:switch "
  "island:k:switch multiccd:k:switch override:k:switch energy:k:switch fwdinv:k:switch invdiscrete:k:switch "
  "sleep:k:switch diagexact:k:switch ipc:k:switch speculative:k:switch"},
{"size", "memory:s njmax:i^ nconmax:i^ nstack:i^ nuserdata:i nkey:i nuser_body:i nuser_jnt:i nuser_geom:i nuser_site:i "
  "nuser_cam:i nuser_tendon:i nuser_actuator:i nuser_sensor:i", "", "one memory nstack; one memory njmax"},
{"statistic", "meaninertia:d meanmass:d meansize:d extent:d center:d3"},

// what is drawn
{"visual", "", "global? quality? headlight? map? scale? visual.rgba?"},
{"global", "cameraid:i orthographic:b fovy:f ipd:f azimuth:f elevation:f linewidth:f glow:f offwidth:i offheight:i "
  "realtime:f ellipsoidinertia:b bvactive:b"},
{"quality", "shadowsize:i offsamples:i numslices:i numstacks:i numquads:i"},
{"headlight", "ambient:f3 diffuse:f3 specular:f3 active:k:headlight"},
{"map", "stiffness:f stiffnessrot:f force:f torque:f alpha:f fogstart:f fogend:f znear:f zfar:f haze:f shadowclip:f "
  "shadowscale:f actuatortendon:f"},
{"scale", "forcewidth:f contactwidth:f contactheight:f connect:f com:f camera:f light:f selectpoint:f jointlength:f "
  "jointwidth:f actuatorlength:f actuatorwidth:f framelength:f framewidth:f constraint:f slidercrank:f frustum:f"},
{"visual.rgba", "fog:f4 haze:f4 force:f4 inertia:f4 joint:f4 actuator:f4 actuatornegative:f4 actuatorpositive:f4 com:f4 "
  "camera:f4 light:f4 selectpoint:f4 connect:f4 contactpoint:f4 contactforce:f4 contactfriction:f4 contacttorque:f4 "
  "contactgap:f4 rangefinder:f4 constraint:f4 slidercrank:f4 crankbroken:f4 frustum:f4 bv:f4 bvactive:f4"},

// default classes; their elements are those of the other sections without name, class and what is marked '~'
{"default", "class:s", "default mesh? texture? material? joint? geom? site? camera? light? pair? default.equality? "
  "default.tendon? general? motor? position? velocity? intvelocity? orientation? pid? damper? cylinder? muscle? "
  "adhesion? dcmotor?"},
{"default.equality", "active:b solref:d1-2 solimp:d1-5"},
{"default.tendon", "@tendon width:d material:s rgba:f4"},

// plugins
{"extension", "", "extension.plugin"},
{"extension.plugin", "plugin:s!", "instance"},
{"instance", "name:s!", "config"},
{"config", "key:s! value:s"},
{"plugin", "plugin:s instance:s", "config"},

// assets
{"asset", "", "mesh hfield skin texture material model"},
{"mesh", "name:s class:s content_type:s~ file:s~ vertex:f*~ normal:f*~ texcoord:f*~ face:i*~ refpos:d3~ refquat:d4~ "
  "scale:d3 smoothnormal:b~ maxhullvert:i^ inertia:k:meshinertia builtin:k:meshbuiltin~ params:d*~ material:s~", "plugin?",
  "one builtin file; one builtin vertex"},
{"hfield", "name:s content_type:s file:s nrow:i ncol:i size:d4! elevation:f*"},
{"skin", "name:s file:s material:s rgba:f4 inflate:f vertex:f* texcoord:f* face:i* group:i^", "bone"},
{"bone", "body:s! bindpos:f3! bindquat:f4! vertid:i*! vertweight:f*!"},
{"texture", "name:s class:s type:k:texture colorspace:k:colorspace content_type:s~ file:s~ gridsize:i2 gridlayout:c1-12 "
  "fileright:s~ fileleft:s~ fileup:s~ filedown:s~ filefront:s~ fileback:s~ builtin:k:builtin rgb1:d3 rgb2:d3 "
  "mark:k:mark markrgb:d3 random:d width:i height:i hflip:b vflip:b nchannel:i embed:k:auto_bool"},
{"material", "name:s class:s texture:s texrepeat:f2 texuniform:b emission:f specular:f shininess:f reflectance:f "
  "metallic:f roughness:f rgba:f4", "layer"},
{"layer", "texture:s! role:k:texrole!"},
{"model", "name:s file:s! content_type:s"},

// bodies
{"worldbody", "", "body frame replicate geom attach site camera light plugin composite flexcomp"},
{"body", "name:s childclass:s pos:d3 @orientation mocap:b gravcomp:d sleep:k:sleep simple:k:false_auto fuse:k:false_auto "
  "user:d*", "body frame replicate inertial? joint freejoint geom attach site camera light plugin composite flexcomp"},
{"frame", "name:s childclass:s pos:d3 @orientation",
  "body frame replicate inertial? joint freejoint geom attach site camera light plugin composite flexcomp"},
{"replicate", "count:i! offset:d3 euler:d3 sep:s childclass:s",
  "body frame replicate geom attach site camera light plugin composite flexcomp"},
{"inertial", "pos:d3! mass:d! diaginertia:d3 fullinertia:d6 @orientation", "",
  "one fullinertia quat axisangle xyaxes zaxis euler; one fullinertia diaginertia"},
{"joint", "name:s class:s type:k:joint group:i pos:d3 axis:d3 springdamper:d2 limited:k:auto_bool "
  "actuatorfrclimited:k:auto_bool solreflimit:d1-2 solimplimit:d1-5 solreffriction:d1-2 solimpfriction:d1-5 "
  "stiffness:d1-3 springyield:d range:d2 actuatorfrcrange:d2 actuatorgravcomp:b margin:d ref:d springref:d "
  "armature:d damping:d1-3 frictionloss:d user:d*"},
{"freejoint", "name:s group:i^ align:k:auto_bool"},
{"geom", "name:s class:s type:k:geom @contact group:i size:d1-3 material:s mass:d density:d shellinertia:b "
  "surfacevel:d1-6 adhesion:d fromto:d6 pos:d3 @orientation hfield:s mesh:s fitscale:d rgba:f4 castshadow:b "
  "fluidshape:k:fluidshape fluidcoef:d1-5 user:d*", "plugin?"},
{"attach", "model:s body:s frame:s prefix:s!", "", "one body frame"},
{"site", "name:s class:s type:k:geom group:i pos:d3 @orientation material:s size:d1-3 fromto:d6 rgba:f4 mesh:s user:d*"},
{"camera", "name:s class:s projection:k:projection fovy:d ipd:d resolution:i2 output:m:camout pos:d3 @orientation "
  "mode:k:camlight target:s~ focal:f2 focalpixel:f2 principal:f2 principalpixel:f2 sensorsize:f2 user:d*", "",
  "one fovy sensorsize"},
{"light", "name:s class:s directional:b type:k:light castshadow:b active:b pos:d3 dir:d3 bulbradius:f intensity:f range:f "
  "attenuation:f3 cutoff:f softness:f exponent:f ambient:f3 diffuse:f3 specular:f3 mode:k:camlight target:s~ texture:s~",
  "", "one directional type"},
{"composite", "*"},
{"flexcomp", "*"},

// deformables
{"deformable", "", "flex skin"},
{"flex", "*"},

// contact
{"contact", "", "pair exclude"},
{"pair", "name:s class:s geom1:s!~ geom2:s!~ condim:i friction:d1-5 solref:d1-2 solreffriction:d1-2 solimp:d1-5 gap:d "
  "margin:d adhesion:d"},
{"exclude", "name:s body1:s! body2:s!"},

// tendons
{"tendon", "", "spatial fixed"},
{"spatial", "@tendon width:d material:s rgba:f4", "spatial.site spatial.geom pulley"},
{"spatial.site", "site:s!"},
{"spatial.geom", "geom:s! sidesite:s"},
{"pulley", "divisor:d!"},
{"fixed", "@tendon", "fixed.joint"},
{"fixed.joint", "joint:s! coef:d!"},

// equality
{"equality", "", "connect weld equality.joint equality.tendon equality.flex flexstrain"},
{"connect", "@equality body1:s body2:s anchor:d3^ site1:s site2:s", "",
  "one site1+site2 body1+body2+anchor; some site1+site2 body1+anchor; all site1 site2"},
{"weld", "@equality body1:s body2:s relpose:d7 anchor:d3 site1:s site2:s torquescale:d", "",
  "one site1+site2 body1+body2+anchor+relpose; some site1+site2 body1; all site1 site2"},
{"equality.joint", "@equality joint1:s! joint2:s polycoef:d1-5"},
{"equality.tendon", "@equality tendon1:s! tendon2:s polycoef:d1-5"},
{"equality.flex", "@equality flex:s!"},
{"flexstrain", "@equality flex:s! cell:d3"},

// actuators
{"actuator", "", "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor "
  "actuator.plugin"},
{"general", "@actuator @control @force @activation @drive @transmission body:s~ actdim:i input:s velrange:d2 ffrange:d2 "
  "inheritrange:d dyntype:k:dyn gaintype:k:gain biastype:k:bias dynprm:d1-10 gainprm:d1-10 biasprm:d1-10 actearly:b"},
{"motor", "@actuator @control @force @drive @transmission"},
{"position", "@actuator @control @force @drive @transmission inheritrange:d kp:d kv:d dampratio:d timeconst:d"},
{"velocity", "@actuator @control @force @drive @transmission kv:d"},
{"intvelocity", "@actuator @control @force @activation @drive @transmission inheritrange:d kp:d kv:d dampratio:d"},
{"orientation", "@actuator @force joint:s~ site:s~ refsite:s~ kp:d kv:d dampratio:d input:s"},
{"pid", "@actuator @control @force @drive @transmission posrange:d2 velrange:d2 ffrange:d2 inheritrange:d kp:d kv:d "
  "dampratio:d ki:d imax:d slewmax:d input:s"},
{"damper", "@actuator @force @drive @transmission kv:d"},
{"cylinder", "@actuator @control @force @drive @transmission timeconst:d area:d diameter:d bias:d3"},
{"muscle", "@actuator @control @force @drive joint:s~ jointinparent:s~ tendon:s~ slidersite:s~ cranksite:s~ "
  "timeconst:d2 tausmooth:d~ range:d2 force:d scale:d lmin:d lmax:d vmax:d fpmax:d fvmax:d"},
{"adhesion", "@actuator @force body:s~ gain:d"},
{"dcmotor", "@actuator @control @drive @transmission motorconst:d1-2 resistance:d nominal:d1-3 saturation:d1-3 "
  "inductance:d1-2 cogging:d1-3 controller:d1-6 thermal:d1-6 lugre:d1-5 input:s"},
{"actuator.plugin", "*"},

// sensors
{"sensor", "", "touch accelerometer velocimeter gyro force torque magnetometer camprojection rangefinder jointpos "
  "jointvel tendonpos tendonvel actuatorpos actuatorvel actuatorfrc jointactuatorfrc tendonactuatorfrc ballquat "
  "ballangvel jointlimitpos jointlimitvel jointlimitfrc tendonlimitpos tendonlimitvel tendonlimitfrc framepos framequat "
  "framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc subtreecom subtreelinvel "
  "subtreeangmom insidesite distance normal fromto sensor.contact e_potential e_kinetic clock tactile sensor.user "
  "sensor.plugin"},
{"touch", "@sensor site:s!"},
{"accelerometer", "@sensor site:s!"},
{"velocimeter", "@sensor site:s!"},
{"gyro", "@sensor site:s!"},
{"force", "@sensor site:s!"},
{"torque", "@sensor site:s!"},
{"magnetometer", "@sensor site:s!"},
{"camprojection", "@sensor site:s! camera:s!"},
{"rangefinder", "@sensor site:s camera:s data:m:raydata", "", "one site camera; some site camera"},
{"jointpos", "@sensor joint:s!"},
{"jointvel", "@sensor joint:s!"},
{"tendonpos", "@sensor tendon:s!"},
{"tendonvel", "@sensor tendon:s!"},
{"actuatorpos", "@sensor actuator:s!"},
{"actuatorvel", "@sensor actuator:s!"},
{"actuatorfrc", "@sensor actuator:s!"},
{"jointactuatorfrc", "@sensor joint:s!"},
{"tendonactuatorfrc", "@sensor tendon:s!"},
{"ballquat", "@sensor joint:s!"},
{"ballangvel", "@sensor joint:s!"},
{"jointlimitpos", "@sensor joint:s!"},
{"jointlimitvel", "@sensor joint:s!"},
{"jointlimitfrc", "@sensor joint:s!"},
{"tendonlimitpos", "@sensor tendon:s!"},
{"tendonlimitvel", "@sensor tendon:s!"},
{"tendonlimitfrc", "@sensor tendon:s!"},
{"framepos", "@sensor @object @reference", "", "all reftype refname"},
{"framequat", "@sensor @object @reference", "", "all reftype refname"},
{"framexaxis", "@sensor @object @reference", "", "all reftype refname"},
{"frameyaxis", "@sensor @object @reference", "", "all reftype refname"},
{"framezaxis", "@sensor @object @reference", "", "all reftype refname"},
{"framelinvel", "@sensor @object @reference", "", "all reftype refname"},
{"frameangvel", "@sensor @object @reference", "", "all reftype refname"},
{"framelinacc", "@sensor @object"},
{"frameangacc", "@sensor @object"},
{"subtreecom", "@sensor body:s!"},
{"subtreelinvel", "@sensor body:s!"},
{"subtreeangmom", "@sensor body:s!"},
{"insidesite", "@sensor @object site:s! enclosed:b"},
{"distance", "@sensor geom1:s geom2:s body1:s body2:s", "",
  "one geom1 body1; some geom1 body1; one geom2 body2; some geom2 body2"},
{"normal", "@sensor geom1:s geom2:s body1:s body2:s", "",
  "one geom1 body1; some geom1 body1; one geom2 body2; some geom2 body2"},
{"fromto", "@sensor geom1:s geom2:s body1:s body2:s", "",
  "one geom1 body1; some geom1 body1; one geom2 body2; some geom2 body2"},
{"sensor.contact", "@sensor geom1:s geom2:s body1:s body2:s subtree1:s subtree2:s site:s num:i data:m:condata "
  "reduce:k:reduce", "", "one geom1 body1 subtree1 site; one geom2 body2 subtree2"},
{"e_potential", "@sensor"},
{"e_kinetic", "@sensor"},
{"clock", "@sensor"},
{"tactile", "name:s geom:s! mesh:s! nsample:i interp:k:interp delay:d interval:d1-2 cutoff:d user:d*"},
{"sensor.user", "name:s objtype:s objname:s datatype:k:datatype needstage:k:stage dim:i! cutoff:d noise:d user:d*", "",
  "all objtype objname"},
{"sensor.plugin", "*"},

// custom and keyframes
{"custom", "", "numeric text tuple"},
{"numeric", "name:s! size:i data:d*"},
{"text", "name:s! data:s!"},
{"tuple", "name:s!", "element"},
{"element", "objtype:s! objname:s! prm:d"},
{"keyframe", "", "key"},
{"key", "name:s time:d qpos:d* qvel:d* act:d* mpos:d* mquat:d* ctrl:d* plastic:d*"},
};
// clang-format on

}  // namespace mjjit::mjcf
