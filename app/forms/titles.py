"""The titles of the forms, for menus, which ask a form no more than its title until they are opened."""

WRITTEN_TITLES = {
    "box2d": "Box2D",
    "box3d": "Box3D",
    "bullet": "Bullet",
    "cannon": "cannon-es",
    "chipmunk": "Chipmunk, pymunk",
    "coal": "Coal, hpp-fcl",
    "dyn4j": "dyn4j",
    "godot": "Godot",
    "jolt": "Jolt",
    "json_bodies": "JSON objects",
    "matlab": "MATLAB, Octave",
    "matter": "matter.js",
    "mjcf": "MuJoCo (MJCF)",
    "moveit": "MoveIt (.scene)",
    "physx": "PhysX",
    "words": "Plain words",
    "pybullet": "PyBullet",
    "python_fcl": "python-fcl",
    "rapier": "Rapier",
    "ros_code": "ROS messages in code",
    "sat_js": "SAT.js",
    "sdf": "SDF",
    "three_js": "three.js",
    "unity": "Unity",
    "unreal": "Unreal",
    "urdf": "URDF",
    "vertices": "Vertices alone",
}
"""The titles of the forms with a writer, which "Copy as" writes, by name in the order of the registry."""
TITLES = WRITTEN_TITLES | {
    "box2d_bodies": "Planck, pybox2d",
    "columns": "Poses in columns (CSV)",
    "fcl_log": "FCL's and Drake's exception",
    "matrices": "Matrices (numpy, Pinocchio)",
    "rapier_bodies": "Rapier's bodies",
    "rects": "Rectangles and circles of a canvas",
    "ros_messages": "ROS messages",
    "tf_echo": "tf_echo (ROS)",
}
"""The titles of all forms by name; those without a writer, such as logs, messages and prints, are read only."""
