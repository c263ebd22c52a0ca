"""What every command passes on its way in and out.

`outlet` cleans what goes to a terminal, `faults` tells mistakes in one sentence, `progress` says how far a long command
is, `no_tls` spares a client what it has no use for.
"""
