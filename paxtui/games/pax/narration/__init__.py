"""Events as sentences, one module for each subject. `narrator` finds the text of any event."""
