"""What a seat asks for: actions of each matter, and the words in which they are typed."""
