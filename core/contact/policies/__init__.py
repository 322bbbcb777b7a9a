"""The policies: by which rule contacts are chosen. `exact` clips; `Jolt` and others are engines' own rules."""
