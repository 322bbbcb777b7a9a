"""What leaves the program as a film."""
