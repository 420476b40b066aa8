-- `sum`, here and below: of the other columns (`sums.ts`), so that damage outside of the chain shows.

-- Which ledger this is.
CREATE TABLE ledger (
  id  TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

-- One row per stack; rewritten by every commit, so it stays small. The records up to `folded` are in the rows of its
-- steps; those after it, a few hundred at most, are folded over these by whoever reads. It counts the rows of its steps
-- and operations and totals their sums, so that one which is missing or old shows.
CREATE TABLE stack (
  number        INTEGER PRIMARY KEY,
  name          TEXT NOT NULL UNIQUE,
  id            TEXT NOT NULL UNIQUE,
  seq           INTEGER NOT NULL,
  hash          TEXT NOT NULL,
  folded        INTEGER NOT NULL,
  epoch         INTEGER NOT NULL,
  lease         TEXT,
  steps         INTEGER NOT NULL,
  step_sum      INTEGER NOT NULL,
  operations    INTEGER NOT NULL,
  operation_sum INTEGER NOT NULL,
  sum           INTEGER NOT NULL
) STRICT;

-- The journal. `place` is the stack's number times 2^32 plus the record's number in its stack: one B-tree that is in
-- the order of (stack, seq), needs no second index for it, and is appended to. No index by step or operation either:
-- each would cost every commit another page, and only reports, which may read a stack's journal through, would use it.
CREATE TABLE record (
  place     INTEGER PRIMARY KEY,
  step      TEXT NOT NULL,
  operation TEXT NOT NULL,
  hash      TEXT NOT NULL,
  body      TEXT NOT NULL
) STRICT;

-- The fold of each step's records up to its stack's `folded`. A table with row numbers, so that replacing a state
-- touches no index.
CREATE TABLE step (
  number INTEGER PRIMARY KEY,
  stack  INTEGER NOT NULL,
  name   TEXT NOT NULL,
  sum    INTEGER NOT NULL,
  state  TEXT NOT NULL,
  UNIQUE (stack, name)
) STRICT;

-- `number` counts in the order in which operations were first written: newest is highest, whatever the clocks said.
CREATE TABLE operation (
  number INTEGER PRIMARY KEY,
  id     TEXT NOT NULL UNIQUE,
  stack  INTEGER NOT NULL,
  sum    INTEGER NOT NULL,
  body   TEXT NOT NULL
) STRICT;

CREATE INDEX operation_of_stack ON operation (stack);
