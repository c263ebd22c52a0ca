"""Plain mode: the whole game as lines of text, for screen readers, logs and slow links.

`repl` answers each line of input. `menus` lists legal orders, `prompts` numbered lists, `renderers` what "show"
answers, `status` what is left to do, `help` the help.
"""
