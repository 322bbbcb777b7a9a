"""GJK and EPA, in space and in the plane."""
