"""The screens of studies: `screen` (a log with comments, marks and branches), `tree` (of branches), `notes` (text)."""
