"""The policies: rules that choose contacts. `exact` clips; `Jolt` and others are engines' own rules."""
