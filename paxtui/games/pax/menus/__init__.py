"""Menu of legal orders of a seat: `menu` builds it, `treaties` and `war` add their parts. `legal` lists the texts."""
