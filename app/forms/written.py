"""The forms that "Copy as" writes, for menus, which ask a form no more than its title until they are opened."""

FORM_TITLES = {
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
"""The title of each form with a writer, by its name, in the order of the registry; logs, messages and prints are read
only."""
