CREATE TABLE catalogue_op (
  op INTEGER PRIMARY KEY REFERENCES op,
  rows INTEGER NOT NULL,
  dtypes TEXT NOT NULL,
  strength TEXT NOT NULL,
  gradients INTEGER NOT NULL CHECK (gradients IN (0, 1)),
  compiled INTEGER NOT NULL CHECK (compiled IN (0, 1)),
  untestable TEXT NOT NULL
) STRICT;
