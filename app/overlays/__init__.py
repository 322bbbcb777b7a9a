"""The overlays, one module for each part of an answer that can be shown, and the tools that they draw with."""
