"""What leaves the program as a file: films in every format. Pure: no GL, no scene, no camera."""
