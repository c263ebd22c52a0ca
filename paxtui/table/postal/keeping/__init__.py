"""What keeping a mail game takes beside opening its forms.

    care      pauses, a look before the deadline, a seat for another player or for the caretaker
    moments   times as a gamemaster writes and reads them
    runner    a game without a gamemaster: whatever is due is done
    transfer  a game from the table to the mail, and back
    audit     a whole game proved from its files
"""
