"""The statesman's diplomacy: what it wants of others, grants them, and fights them over.

`regard` says how Powers stand to each other, `articles` what each article of a Treaty is worth to either side, `offers`
what is proposed; `treaties` answers drafts, dispatches and duties. `disputes` and `congress` settle what is contested,
`war` is its Wars, which a `rehearsal` plays through on copies of the position before they are declared; `rebellion` is
how it fights in China.
"""
