// For the tests: a child whose installation is broken.

throw new Error("A file is missing.")
