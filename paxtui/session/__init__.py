"""What lies before the seat at the keyboard: news, tasks, what can be done at a place, what has been read.

Everything here asks the session, and so serves screen and plain mode alike.
"""
