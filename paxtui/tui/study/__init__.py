"""The screens of studies: a log with comments, marks and branches, the tree of branches, and the comment editor."""
