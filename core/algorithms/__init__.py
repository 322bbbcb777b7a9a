"""The collision algorithms, written once; each module answers one question."""
