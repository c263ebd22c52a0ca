"""The plain mode: the whole game as questions and answers in lines, for screen readers, logs and slow links.

`conversation` takes a line and gives lines; `stream` reads and writes them.
"""
