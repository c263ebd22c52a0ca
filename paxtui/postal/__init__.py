"""A mail game by e-mail: IMAP in, SMTP out, of the standard library. What is carried, `table.postal` makes and reads.

    settings   the file `desk/mail.toml`: servers, addresses of the players, a hook
    mailbox    letters fetched from an IMAP server
    sending    letters sent by an SMTP server
    passes     what proves that an answer comes from who was sent the report
    reading    what somebody has written: whose it is, and the form in it
    intake     what a letter brings is taken
    proofs     keys of locked forms, and words for fair dice
    answers    what is written: reports, answers, reminders
    outbox     letters that wait to be sent, and what has been dealt with; a program that is killed does nothing twice
    courier    a round: letters fetched, taken or refused, reports and answers sent
    hook       a command of the gamemaster's own that is told of what happens
"""
