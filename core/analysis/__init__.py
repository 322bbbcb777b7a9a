"""All answers about a scene, checked against each other, with a module each for space and for the plane."""
