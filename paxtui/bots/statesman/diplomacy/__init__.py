"""The statesman's diplomacy: what it wants of others, grants them, and fights them over.

`disputes`, `treaties` and `congress` are its agreements, `war` its Wars, which a `rehearsal` plays through on copies of
the position before they are declared.
"""
