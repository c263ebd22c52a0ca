"""What keeping a table takes beside its games.

    terms      what visitors may do: watch, talk, take a free seat, open a game
    talk       what is said at a table, kept beside its log
    due        whom a game waits for and since when, and the host's program that tells him
    journal    what happened, a line of JSON each
    figures    how long acts take, how much memory there is; for Prometheus
    backup     a house in one file
    standing   how a game stands, and what is kept of one that sleeps
    games      the games of the house: those that are open, and those that sleep
    lobby      the games of the house as a visitor finds them, and his ways to a seat
"""
