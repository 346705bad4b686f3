-- The matrix on disk: the tables. The views (views.sql) are the public interface: their columns are stable within a major version.
-- Start with: SELECT * FROM about; SELECT * FROM glossary;

-- Words and their meanings ------------------------------------------------------------------------------------------------------------

CREATE TABLE verdict (
  rank INTEGER PRIMARY KEY,      -- the highest rank that applies is the verdict
  word TEXT NOT NULL UNIQUE,
  bucket TEXT NOT NULL,          -- what counts are kept by
  state TEXT NOT NULL,           -- what a cell is called when this is its worst verdict
  meaning TEXT NOT NULL
) STRICT;

INSERT INTO verdict (rank, word, bucket, state, meaning) VALUES
  (0, 'pass', 'native', 'native', 'within the bound of the device profile, computed on the device, compiled as asked'),
  (6, 'weak_case', 'weak', 'weak', 'within the bound, but this case could not have failed, or nothing proves where it was computed'),
  (8, 'imprecise', 'degraded', 'imprecise', 'outside the device profile, inside the permissive one'),
  (10, 'recompiles', 'degraded', 'recompiles', 'right, with more compilations than the shapes justify'),
  (12, 'graph_break', 'degraded', 'graph_break', 'right, but not one graph, or partly eager'),
  (14, 'fallback', 'degraded', 'fallback', 'right, but an operator of the case ran on the CPU, or tensors travelled through the host'),
  (20, 'refused', 'refused', 'refused', 'refused cleanly: right exception class, names the operator and the dtype or shape, device healthy afterwards'),
  (30, 'mismatch', 'wrong', 'wrong', 'wrong value, shape, dtype, stride, alias, mutation, device, index or order'),
  (32, 'nondeterministic', 'wrong', 'wrong', 'same case, different bits, from an operator declared deterministic'),
  (34, 'missing_error', 'wrong', 'wrong', 'the reference raises, the target returns'),
  (36, 'wrong_error', 'wrong', 'wrong', 'both raise, the exception class differs'),
  (38, 'unexpected_error', 'broken', 'broken', 'the reference works, the target raises something that is not a clean refusal'),
  (40, 'compile_error', 'broken', 'broken', 'the compiler failed; the cause is its code where it has one'),
  (50, 'oom', 'broken', 'broken', 'out of memory'),
  (60, 'timeout', 'broken', 'broken', 'not done by the deadline'),
  (70, 'crash', 'broken', 'broken', 'the process died'),
  (72, 'device_lost', 'broken', 'broken', 'the device did not answer afterwards'),
  (80, 'skipped', 'none', 'skipped', 'left out by plan, with a reason'),
  (82, 'not_run', 'none', 'not_run', 'planned, never judged'),
  (90, 'harness_error', 'none', 'harness_error', 'reference, generator or judge failed: a bug of neuroncheck, always red');

CREATE TABLE word (
  word TEXT PRIMARY KEY,
  meaning TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO word (word, meaning) VALUES
  ('op', 'one ATen operator overload, as aten::add.Tensor'),
  ('path', 'how the target runs a case: eager, eager_backward, compiled, compiled_backward, dynamic'),
  ('cell', 'op x dtype x path: one square of the matrix'),
  ('row', 'one line of the catalogue, known by its name; case n of a row is the same case on every machine; /invalid: arguments that must be refused; /trajectory: several shapes through one function'),
  ('case', 'a program of operator calls with its inputs; its id is a hash of its canonical JSON'),
  ('observation', 'what one path did with one case'),
  ('target', 'what is tested; a simulated one says nothing about real hardware'),
  ('build', 'one set of versions and settings of a target'),
  ('run', 'one execution of a plan against one build of one target'),
  ('suite', 'a frozen set of rows; two runs compare only on the same one'),
  ('series', 'runs that compare: same target, suite, lane and selection'),
  ('complete', 'a run that judged all it had planned'),
  ('partial', 'a run that judged less than it had planned; the same command goes on with it'),
  ('void', 'a run that cannot be believed'),
  ('native', 'right, and shown to have been computed on the device'),
  ('degraded', 'right, but not as asked: falls back, breaks the graph, recompiles or is imprecise'),
  ('broken', 'the target failed where the reference works'),
  ('cause', 'normalised error text or code that groups results'),
  ('state', 'what a cell is called: the worst of its verdicts, but native where a weak case stands beside native ones'),
  ('pattern', 'a short program of several ops that compilers like to change; stands in the column op'),
  ('opinfo', 'a sample with which the installed torch tests itself, captured as a program; as a list: the operators that they reach'),
  ('compile key', 'a case without its values: what a device compiles anew'),
  ('compilation', 'one call of the compiler; several cases may share it'),
  ('canary', 'a known deviation that is planted before each run: a judge that does not see it is not believed'),
  ('frozen', 'the lane of runs with the seed of the suite: the same cases every time, so that runs compare'),
  ('exploring', 'the lane of runs with another seed: new cases'),
  ('lost cell', 'a cell whose state is worse, or that has fewer native cases, than in the run it is compared with'),
  ('baseline', 'the deviations of a target that are known, each with its issue and reason'),
  ('first_seen', 'triage: wrong or broken, and not in the baseline'),
  ('regressed', 'triage: more than ten times worse than the baseline says; of cells: worse than in the run before'),
  ('batch_only', 'failed in company, passed alone: state leaked between calls, or the process was ended from outside'),
  ('fault', 'a wrong computation seeded into a simulated device, to see whether it is found'),
  ('shard', 'a share of a run that one process worked on'),
  ('unproven', 'placement: nothing shows where the numbers were made, or the sources of evidence disagree'),
  ('same_key_died', 'skipped, because another case of the same compile key ended the process'),
  ('row_keeps_dying', 'skipped, because too many cases of the row ended the process'),
  ('reference_died', 'skipped, because the plain CPU run ended the process'),
  ('expected', 'nothing wrong or broken, or listed in the baseline'),
  ('ulps', 'distance from the reference in units of the last place of the output dtype'),
  ('bound share', 'distance from the reference as a share of what is allowed; above 1 is outside');

-- What was tested --------------------------------------------------------------------------------------------------------------------

CREATE TABLE target (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  simulated INTEGER NOT NULL CHECK (simulated IN (0, 1))
) STRICT;

CREATE TABLE build (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL          -- JSON object: versions, flags, environment, neuroncheck's commit
) STRICT;

CREATE TABLE suite (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL REFERENCES target,
  suite INTEGER NOT NULL REFERENCES suite,
  lane TEXT NOT NULL CHECK (lane IN ('frozen', 'exploring')),
  selection TEXT NOT NULL,        -- filters as typed; empty: the whole suite
  UNIQUE (target, suite, lane, selection)
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,       -- the same in every shard's file
  series INTEGER NOT NULL REFERENCES series,
  build INTEGER NOT NULL REFERENCES build,
  seed TEXT NOT NULL,             -- unsigned 64 bits, decimal
  keys INTEGER NOT NULL,
  fault TEXT NOT NULL,
  started TEXT NOT NULL,          -- ISO 8601, UTC
  has_baseline INTEGER NOT NULL CHECK (has_baseline IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('complete', 'partial', 'void')),  -- partial from the first moment: a killed run stays so
  position INTEGER                -- of a complete run among those of its series, by time; null: not complete
) STRICT;
CREATE INDEX run_by_series ON run (series, position);

-- One process's share of a run. A run is complete when all its shards are.
CREATE TABLE shard (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  shard INTEGER NOT NULL,
  shards INTEGER NOT NULL,
  plan_fingerprint TEXT NOT NULL, -- without times, host and jobs: what may be resumed
  plan TEXT NOT NULL,             -- JSON
  host TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('complete', 'partial', 'void')),
  ended INTEGER NOT NULL CHECK (ended IN (0, 1)),  -- 0: running, or killed
  wall_s REAL NOT NULL,
  why TEXT NOT NULL,
  canaries TEXT NOT NULL,         -- one line; empty: none were run
  PRIMARY KEY (run, shard)
) STRICT, WITHOUT ROWID;
CREATE INDEX shard_by_plan ON shard (plan_fingerprint);

CREATE TABLE op (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,
  lists TEXT NOT NULL DEFAULT '', -- core_aten, vendor_registered, opinfo (operators that OpInfos reach), opinfo_samples (OpInfos themselves), schema (without a row: drawn)
  vendor_claim TEXT
) STRICT;

-- What the catalogue had for each op when a run last wrote here; ops without a row as well, so that what is missing can be counted.
CREATE TABLE catalogue_op (
  op INTEGER PRIMARY KEY REFERENCES op,
  rows INTEGER NOT NULL,
  dtypes TEXT NOT NULL,           -- of all its rows, comma-separated
  strength TEXT NOT NULL,         -- of the oracle: rigorous, estimated, structural; empty: no row
  gradients INTEGER NOT NULL CHECK (gradients IN (0, 1)),
  compiled INTEGER NOT NULL CHECK (compiled IN (0, 1)),
  untestable TEXT NOT NULL        -- why there is no row
) STRICT;

CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  op INTEGER NOT NULL REFERENCES op,
  dtype TEXT NOT NULL,
  path TEXT NOT NULL,
  UNIQUE (op, dtype, path)
) STRICT;

CREATE TABLE catalogue_row (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE test_case (
  id INTEGER PRIMARY KEY,
  case_id TEXT NOT NULL UNIQUE,
  json TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT 'drawn',
  input_classes TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE cause (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

-- What was seen ----------------------------------------------------------------------------------------------------------------------

-- The verdict is part of the key: two shards that disagree about one case keep both (view conflicts).
-- Of a pass only the columns up to harness_us, and strength, are filled.
CREATE TABLE result (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  row INTEGER NOT NULL REFERENCES catalogue_row,
  n INTEGER NOT NULL,
  cell INTEGER NOT NULL REFERENCES cell,
  verdict TEXT NOT NULL REFERENCES verdict (word),
  error_ulps REAL,                -- null: not a number
  bound_share REAL,
  run_us INTEGER NOT NULL,
  compile_us INTEGER NOT NULL,
  harness_us INTEGER NOT NULL,
  triage TEXT,
  reason TEXT,
  flags TEXT,                     -- JSON array
  cause INTEGER REFERENCES cause,
  detail TEXT,
  oracle TEXT,
  strength TEXT,
  placement TEXT,
  evidence INTEGER,               -- bits: 1 interposer, 2 registration, 4 tracker, 8 strict mode, 16 compiler counters, 32 host device
  worst TEXT,                     -- JSON: the element furthest outside
  test_case INTEGER REFERENCES test_case,
  PRIMARY KEY (run, row, n, cell, verdict)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  row INTEGER NOT NULL REFERENCES catalogue_row,
  n INTEGER NOT NULL,
  cell INTEGER NOT NULL REFERENCES cell,
  verdict TEXT NOT NULL REFERENCES verdict (word),
  triage TEXT NOT NULL,
  cause INTEGER REFERENCES cause,
  case_id TEXT NOT NULL,          -- of the minimal case
  record TEXT NOT NULL,           -- JSON: first attempt
  minimal TEXT NOT NULL,          -- JSON: smallest case with the same verdict and cause
  retries INTEGER NOT NULL,
  retries_failed INTEGER NOT NULL,
  shrink_steps INTEGER NOT NULL,
  repro_line TEXT NOT NULL,
  UNIQUE (run, row, n, cell, verdict)
) STRICT;
CREATE INDEX finding_by_case ON finding (case_id);

-- What tables and diffs read: counts of a cell, stored once for as many consecutive complete runs of a series as they hold.
CREATE TABLE cell_result (
  series INTEGER NOT NULL REFERENCES series,
  cell INTEGER NOT NULL REFERENCES cell,
  first INTEGER NOT NULL,         -- run.position, inclusive
  last INTEGER NOT NULL,
  native INTEGER NOT NULL,
  weak INTEGER NOT NULL,
  degraded INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  wrong INTEGER NOT NULL,
  broken INTEGER NOT NULL,
  none INTEGER NOT NULL,
  rigorous INTEGER,               -- of the judged: with a derived bound; null: a run of before schema 3
  estimated INTEGER,              -- with a measured one; the others are structural
  state TEXT NOT NULL,
  worst_verdict TEXT NOT NULL,
  worst_ulps REAL,
  worst_share REAL,
  worst_row INTEGER NOT NULL,     -- the case with the largest error
  worst_n INTEGER NOT NULL,
  PRIMARY KEY (series, cell, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX cell_result_by_last ON cell_result (series, last);

CREATE TABLE fallback (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  shard INTEGER NOT NULL,
  cell INTEGER NOT NULL REFERENCES cell,
  host_op TEXT NOT NULL,
  copies INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  PRIMARY KEY (run, shard, cell, host_op)
) STRICT, WITHOUT ROWID;

CREATE TABLE compilation (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  shard INTEGER NOT NULL,
  cell INTEGER NOT NULL REFERENCES cell,
  compile_key TEXT NOT NULL,      -- 16 hex digits
  cases INTEGER NOT NULL,
  compilations INTEGER NOT NULL,
  graphs INTEGER NOT NULL,
  breaks INTEGER NOT NULL,
  compile_us INTEGER NOT NULL,
  PRIMARY KEY (run, shard, cell, compile_key)
) STRICT, WITHOUT ROWID;

-- The baseline as it was parsed for this run.
CREATE TABLE expectation (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  number INTEGER NOT NULL,
  op TEXT NOT NULL,
  dtypes TEXT NOT NULL,           -- comma-separated; empty: any
  paths TEXT NOT NULL,
  input_class TEXT NOT NULL,
  builds_from TEXT NOT NULL,
  builds_to TEXT NOT NULL,
  verdict TEXT NOT NULL,
  verdict_reason TEXT NOT NULL,
  ceiling_ulps REAL,
  issue TEXT NOT NULL,
  reason TEXT NOT NULL,
  since TEXT NOT NULL,
  review TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL
) STRICT;

CREATE TABLE model_op (
  model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,
  op INTEGER NOT NULL REFERENCES op,
  dtype TEXT NOT NULL,
  arguments TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (model, op, dtype, arguments)
) STRICT, WITHOUT ROWID;

CREATE TABLE fault_campaign (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  fault TEXT NOT NULL,
  op INTEGER NOT NULL REFERENCES op,
  severity TEXT NOT NULL,
  found_by TEXT,                  -- oracle; null: not found
  cases INTEGER NOT NULL,
  PRIMARY KEY (run, fault, op)
) STRICT, WITHOUT ROWID;
