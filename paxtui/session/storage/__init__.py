"""The table's files: where they lie, how they are read and written whole, the log that outlives a power cut.

    resources  where the program's files lie, and the player's
    files      regular files and nothing else, locks, whole or not at all
    store      logs
    writer     lines that are on their way to a slow disk
    links      the chain of their lines
    packed     what of a log is held in memory, should its file be lost
    own_files  the small files of a player's own
    extras     what an installation lacks, and how it is added
"""
