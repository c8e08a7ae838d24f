// MuJoCo's enumerations as the kernels need them; values are those of mjmodel.h.
#pragma once

enum JointType { JNT_FREE = 0, JNT_BALL = 1, JNT_SLIDE = 2, JNT_HINGE = 3 };
enum GeomType {
  GEOM_PLANE = 0,
  GEOM_HFIELD = 1,
  GEOM_SPHERE = 2,
  GEOM_CAPSULE = 3,
  GEOM_ELLIPSOID = 4,
  GEOM_CYLINDER = 5,
  GEOM_BOX = 6,
  GEOM_MESH = 7,
  GEOM_SDF = 8
};
enum IntegratorType { INT_EULER = 0, INT_RK4 = 1, INT_IMPLICIT = 2, INT_IMPLICITFAST = 3 };
enum ConeType { CONE_PYRAMIDAL = 0, CONE_ELLIPTIC = 1 };
enum SolverType { SOL_PGS = 0, SOL_CG = 1, SOL_NEWTON = 2 };
enum EqType { EQ_CONNECT = 0, EQ_WELD = 1, EQ_JOINT = 2, EQ_TENDON = 3 };
enum ObjType { OBJ_UNKNOWN = 0, OBJ_BODY = 1, OBJ_SITE = 6 };
enum ConstraintType {
  CNSTR_EQUALITY = 0,
  CNSTR_FRICTION_DOF = 1,
  CNSTR_FRICTION_TENDON = 2,
  CNSTR_LIMIT_JOINT = 3,
  CNSTR_LIMIT_TENDON = 4,
  CNSTR_CONTACT_FRICTIONLESS = 5,
  CNSTR_CONTACT_PYRAMIDAL = 6,
  CNSTR_CONTACT_ELLIPTIC = 7
};
enum TransmissionType {
  TRN_JOINT = 0,
  TRN_JOINTINPARENT = 1,
  TRN_SLIDERCRANK = 2,
  TRN_TENDON = 3,
  TRN_SITE = 4,
  TRN_BODY = 5
};
enum DynType {
  DYN_NONE = 0,
  DYN_INTEGRATOR = 1,
  DYN_FILTER = 2,
  DYN_FILTEREXACT = 3,
  DYN_MUSCLE = 4
};
enum GainType { GAIN_FIXED = 0, GAIN_AFFINE = 1, GAIN_MUSCLE = 2 };
enum BiasType { BIAS_NONE = 0, BIAS_AFFINE = 1, BIAS_MUSCLE = 2 };
enum DisableBit {
  DSBL_CONSTRAINT = 1 << 0,
  DSBL_EQUALITY = 1 << 1,
  DSBL_FRICTIONLOSS = 1 << 2,
  DSBL_LIMIT = 1 << 3,
  DSBL_CONTACT = 1 << 4,
  DSBL_SPRING = 1 << 5,
  DSBL_DAMPER = 1 << 6,
  DSBL_GRAVITY = 1 << 7,
  DSBL_CLAMPCTRL = 1 << 8,
  DSBL_WARMSTART = 1 << 9,
  DSBL_FILTERPARENT = 1 << 10,
  DSBL_ACTUATION = 1 << 11,
  DSBL_REFSAFE = 1 << 12,
  DSBL_SENSOR = 1 << 13,
  DSBL_MIDPHASE = 1 << 14,
  DSBL_EULERDAMP = 1 << 15,
  DSBL_AUTORESET = 1 << 16,
  DSBL_NATIVECCD = 1 << 17,
  DSBL_ISLAND = 1 << 18,
  DSBL_MULTICCD = 1 << 19
};
enum EnableBit {
  ENBL_OVERRIDE = 1 << 0,
  ENBL_ENERGY = 1 << 1,
  ENBL_FWDINV = 1 << 2,
  ENBL_INVDISCRETE = 1 << 3,
  ENBL_SLEEP = 1 << 4,
  ENBL_DIAGEXACT = 1 << 5
};
