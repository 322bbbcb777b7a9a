"""Studies of the algorithms: published mistakes, edge cases, comparison with other engines.

The algorithms' own packages import nothing from here.
"""
