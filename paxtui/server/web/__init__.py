"""The web server: the screen of the terminal in a browser.

`server` answers requests, `pages` holds the pages, `cookies` recognizes players. `terminals` connects browsers with
client processes, the same ones that SSH connections get. In the browser, the xterm.js of textual-serve draws.
"""
