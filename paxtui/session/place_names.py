"""Other names of Areas, for searches on the map and in the archive."""

from __future__ import annotations

OTHER_NAMES = {
    "abyssinia": ("ethiopia",),
    "anatolia": ("turkey",),
    "brasil": ("brazil",),
    "formosa": ("taiwan",),
    "kamerun": ("cameroon",),
    "kongo": ("congo",),
    "marocco": ("morocco",),
    "persia": ("iran",),
    "porto_rico": ("puerto rico",),
    "rumania": ("romania",),
    "siam": ("thailand",),
    "soudan": ("sudan",),
    "taureg": ("tuareg",),
    "tchad": ("chad",),
    "tripoli": ("libya",),
}
"""Search words for Areas with another spelling on the map."""
