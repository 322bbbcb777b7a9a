"""All answers about a scene, checked against each other, and what differs between space and the plane."""
