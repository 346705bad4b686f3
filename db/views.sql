-- Counting: the one place where results become cells, for runs that have no place in their series yet -----------------------------------

CREATE VIEW counted_cell AS
SELECT r.run, r.cell,
       sum(v.bucket = 'native') AS native, sum(v.bucket = 'weak') AS weak, sum(v.bucket = 'degraded') AS degraded,
       sum(v.bucket = 'refused') AS refused, sum(v.bucket = 'wrong') AS wrong, sum(v.bucket = 'broken') AS broken, sum(v.bucket = 'none') AS none,
       sum(v.bucket <> 'none' AND r.strength = 'rigorous') AS rigorous, sum(v.bucket <> 'none' AND r.strength = 'estimated') AS estimated,
       max(CASE WHEN v.word IN ('skipped', 'not_run') THEN -1 ELSE v.rank END) AS worst_rank,
       max(r.error_ulps) AS worst_ulps, max(r.bound_share) AS worst_share
FROM run o CROSS JOIN result r ON r.run = o.id JOIN verdict v ON v.word = r.verdict
WHERE o.position IS NULL
GROUP BY r.run, r.cell;

-- The case with the largest error, of several the first by name: bare columns beside min() come from the row of the minimum.
-- A cell with a weak case beside native ones is native: some inputs (empty ones) cannot fail.
CREATE VIEW cell_of_results AS
WITH counted AS MATERIALIZED (SELECT * FROM counted_cell),
worst AS (
  SELECT r.run, r.cell, r.row AS worst_row, r.n AS worst_n, min(format('%s %020d', w.name, r.n)) AS first_name
  FROM run o CROSS JOIN result r ON r.run = o.id CROSS JOIN counted c ON c.run = r.run AND c.cell = r.cell AND c.worst_ulps IS r.error_ulps
  JOIN catalogue_row w ON w.id = r.row
  WHERE o.position IS NULL
  GROUP BY r.run, r.cell)
SELECT c.run, c.cell, c.native, c.weak, c.degraded, c.refused, c.wrong, c.broken, c.none, c.rigorous, c.estimated,
       CASE WHEN v.word IS NULL THEN 'skipped' WHEN v.word = 'weak_case' AND c.native > 0 THEN 'native' ELSE v.state END AS state,
       coalesce(v.word, 'skipped') AS worst_verdict, c.worst_ulps, c.worst_share, e.worst_row, e.worst_n
FROM counted c JOIN worst e ON e.run = c.run AND e.cell = c.cell LEFT JOIN verdict v ON v.rank = c.worst_rank;

-- Every cell of every run: complete ones from cell_result, the others counted on the spot.
CREATE VIEW run_cell AS
SELECT r.id AS run, c.cell, c.native, c.weak, c.degraded, c.refused, c.wrong, c.broken, c.none, c.rigorous, c.estimated,
       c.state, c.worst_verdict, c.worst_ulps, c.worst_share, c.worst_row, c.worst_n, c.series, c.first
FROM run r JOIN cell_result c ON c.series = r.series AND c.first <= r.position AND c.last >= r.position
UNION ALL
SELECT c.run, c.cell, c.native, c.weak, c.degraded, c.refused, c.wrong, c.broken, c.none, c.rigorous, c.estimated,
       c.state, c.worst_verdict, c.worst_ulps, c.worst_share, c.worst_row, c.worst_n, NULL, NULL
FROM run r JOIN cell_of_results c ON c.run = r.id
WHERE r.position IS NULL;

-- Of each target the run its matrix is read from: complete, without a planted fault, of the whole suite; else the next best, newest first.
CREATE VIEW latest_run AS
SELECT run, target FROM (
  SELECT r.id AS run, s.target, row_number() OVER (
           PARTITION BY s.target ORDER BY r.state = 'complete' DESC, r.fault = '' DESC, s.selection = '' DESC, r.started DESC, r.uid DESC) AS place
  FROM run r JOIN series s ON s.id = r.series
  WHERE s.lane = 'frozen' AND r.state <> 'void')
WHERE place = 1;

-- run_cell of the latest runs, written out so that SQLite starts from them.
CREATE VIEW latest_cell AS
SELECT r.id AS run, c.cell, c.native, c.weak, c.degraded, c.refused, c.wrong, c.broken, c.none, c.rigorous, c.estimated,
       c.state, c.worst_verdict, c.worst_ulps, c.worst_share, c.worst_row, c.worst_n, c.series, c.first
FROM latest_run l CROSS JOIN run r ON r.id = l.run CROSS JOIN cell_result c ON c.series = r.series AND c.first <= r.position AND c.last >= r.position
UNION ALL
SELECT c.run, c.cell, c.native, c.weak, c.degraded, c.refused, c.wrong, c.broken, c.none, c.rigorous, c.estimated,
       c.state, c.worst_verdict, c.worst_ulps, c.worst_share, c.worst_row, c.worst_n, NULL, NULL
FROM cell_of_results c WHERE c.run IN (SELECT run FROM latest_run);

CREATE VIEW state_severity AS SELECT state, min(rank) AS severity FROM verdict GROUP BY state;

-- What each public view begins with.
CREATE VIEW run_of AS
SELECT r.id AS run, t.name AS target, t.simulated, b.fingerprint AS build, r.started AS run_date
FROM run r JOIN series s ON s.id = r.series JOIN target t ON t.id = s.target JOIN build b ON b.id = r.build;

CREATE VIEW cell_of AS
SELECT c.id AS cell, o.name AS op, o.family, c.dtype, c.path FROM cell c JOIN op o ON o.id = c.op;

-- The public views --------------------------------------------------------------------------------------------------------------------

CREATE VIEW run_health AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, r.uid, u.name AS suite, s.lane, s.selection, r.fault, r.seed, r.state, sum(h.planned) AS planned,
       (SELECT count(*) FROM (SELECT DISTINCT row, n, cell FROM result x WHERE x.run = r.id)) AS done,
       (SELECT count(*) FROM result x WHERE x.run = r.id AND x.verdict = 'harness_error') AS harness_errors,
       count(*) AS shards_seen, max(h.shards) AS shards, sum(h.ended = 0) AS shards_not_ended, max(h.wall_s) AS wall_s,
       coalesce(group_concat(nullif(h.why, ''), '; '), '') AS why,
       coalesce(min(nullif(h.canaries, '')), '') AS canaries  -- "4 of 5 seen" of one shard before "5 of 5 seen" of the others
FROM run r JOIN run_of q ON q.run = r.id JOIN series s ON s.id = r.series JOIN suite u ON u.id = s.suite JOIN shard h ON h.run = r.id
GROUP BY r.id;

CREATE VIEW cells AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.family, k.dtype, k.path, x.state,
       x.native, x.weak, x.degraded, x.refused, x.wrong, x.broken, x.none, x.rigorous, x.estimated,
       x.native + x.weak + x.degraded + x.refused + x.wrong + x.broken AS judged,
       x.worst_verdict, x.worst_ulps, x.worst_share, w.name || '/' || x.worst_n AS worst_case, x.series, x.first, x.cell
FROM run_cell x JOIN run_of q ON q.run = x.run JOIN cell_of k ON k.cell = x.cell JOIN catalogue_row w ON w.id = x.worst_row;

-- since_*: the first run of the unbroken line of runs in which the cell has had this state.
CREATE VIEW matrix AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.family, k.dtype, k.path, x.state,
       x.native, x.weak, x.degraded, x.refused, x.wrong, x.broken, x.none, x.rigorous, x.estimated,
       x.native + x.weak + x.degraded + x.refused + x.wrong + x.broken AS judged,
       x.worst_verdict, x.worst_ulps, x.worst_share, w.name || '/' || x.worst_n AS worst_case,
       coalesce(o.started, q.run_date) AS since_date, coalesce(b.fingerprint, q.build) AS since_build
FROM latest_cell x JOIN run_of q ON q.run = x.run JOIN cell_of k ON k.cell = x.cell JOIN catalogue_row w ON w.id = x.worst_row
LEFT JOIN run o ON o.series = x.series AND o.position = (
  SELECT min(a.first) FROM cell_result a WHERE a.series = x.series AND a.cell = x.cell AND a.first <= x.first AND a.first > coalesce(
    (SELECT max(d.first) FROM cell_result d WHERE d.series = x.series AND d.cell = x.cell AND d.first < x.first AND d.state <> x.state), 0))
LEFT JOIN build b ON b.id = o.build;

-- Which op is on which of the lists that coverage is counted against.
CREATE VIEW on_list AS
SELECT o.id, o.name AS op, l.list
FROM (SELECT 'core_aten' AS list UNION ALL SELECT 'vendor_registered' UNION ALL SELECT 'opinfo' UNION ALL SELECT 'opinfo_samples' UNION ALL SELECT 'schema') l JOIN op o ON instr(',' || o.lists || ',', ',' || l.list || ',');

CREATE VIEW coverage AS
WITH latest AS MATERIALIZED (SELECT * FROM matrix),
grouped (target, simulated, build, run_date, by, value, state, judged, native_cases, rigorous, estimated) AS (
  SELECT target, simulated, build, run_date, 'op', op, state, judged, native, rigorous, estimated FROM latest
  UNION ALL SELECT target, simulated, build, run_date, 'family', family, state, judged, native, rigorous, estimated FROM latest
  UNION ALL SELECT target, simulated, build, run_date, 'dtype', dtype, state, judged, native, rigorous, estimated FROM latest
  UNION ALL SELECT target, simulated, build, run_date, 'path', path, state, judged, native, rigorous, estimated FROM latest
  UNION ALL SELECT m.target, m.simulated, m.build, m.run_date, 'list', l.list, m.state, m.judged, m.native, m.rigorous, m.estimated FROM latest m JOIN on_list l ON l.op = m.op
  UNION ALL SELECT target, simulated, build, run_date, 'all', 'all', state, judged, native, rigorous, estimated FROM latest)
SELECT target, simulated, build, run_date, by, value, count(*) AS cells, sum(state = 'native') AS native, sum(state = 'fallback') AS fallback,
       sum(state = 'refused') AS refused, sum(state IN ('imprecise', 'recompiles', 'graph_break')) AS otherwise_degraded,
       sum(state = 'wrong') AS wrong, sum(state = 'broken') AS broken, sum(state = 'weak') AS weak,
       sum(state IN ('skipped', 'not_run', 'harness_error')) AS not_judged, sum(native_cases) AS native_cases, sum(judged) AS judged_cases,
       sum(rigorous) AS rigorous_cases, sum(estimated) AS estimated_cases
FROM grouped GROUP BY target, by, value;

-- The lists that coverage is counted against. tested, native: ops of which the target's latest run has a cell, a native cell.
CREATE VIEW lists AS
WITH listed AS MATERIALIZED (
  SELECT l.list, l.id AS op, c.rows, c.strength, c.gradients, c.compiled, c.untestable
  FROM (SELECT list, id FROM on_list UNION ALL SELECT 'any', id FROM op WHERE lists NOT IN ('', 'opinfo_samples', 'schema')) l JOIN catalogue_op c ON c.op = l.id),
seen AS MATERIALIZED (
  SELECT q.target, q.simulated, k.op, max(x.state = 'native') AS native FROM latest_cell x JOIN run_of q ON q.run = x.run JOIN cell k ON k.id = x.cell
  GROUP BY q.target, k.op)
SELECT t.target, t.simulated, l.list, count(*) AS ops, sum(l.rows > 0) AS with_row, sum(l.untestable <> '') AS untestable,
       sum(l.rows = 0 AND l.untestable = '') AS missing,
       sum(l.strength = 'rigorous') AS rigorous, sum(l.strength = 'estimated') AS estimated, sum(l.strength = 'structural') AS structural,
       sum(l.gradients) AS gradients, sum(l.compiled) AS compiled,
       sum(s.op IS NOT NULL) AS tested, coalesce(sum(s.native), 0) AS native
FROM listed l CROSS JOIN (SELECT DISTINCT target, simulated FROM seen) t LEFT JOIN seen s ON s.target = t.target AND s.op = l.op
GROUP BY t.target, l.list;

-- What the catalogue has for each op, tested or not.
CREATE VIEW catalogue AS
SELECT o.name AS op, o.family, o.lists, c.rows, c.dtypes, c.strength, c.gradients, c.compiled, c.untestable FROM catalogue_op c JOIN op o ON o.id = c.op;

CREATE VIEW fallbacks AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.dtype, k.path, f.host_op,
       sum(f.cases) AS cases, sum(f.copies) AS copies, sum(f.bytes) AS bytes
FROM fallback f JOIN run_of q ON q.run = f.run JOIN cell_of k ON k.cell = f.cell
GROUP BY f.run, f.cell, f.host_op;

CREATE VIEW errors AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.dtype, k.path, w.name AS row, x.n, x.verdict, v.bucket, x.triage,
       coalesce(x.reason, '') AS reason, coalesce(u.text, '') AS cause, x.detail, x.oracle, x.error_ulps, x.bound_share, t.case_id, x.cell
FROM result x JOIN verdict v ON v.word = x.verdict JOIN run_of q ON q.run = x.run JOIN cell_of k ON k.cell = x.cell
JOIN catalogue_row w ON w.id = x.row LEFT JOIN cause u ON u.id = x.cause LEFT JOIN test_case t ON t.id = x.test_case
WHERE v.bucket IN ('refused', 'wrong', 'broken') OR x.verdict = 'harness_error';

CREATE VIEW smallest_finding AS
SELECT run, verdict, triage, cause, op, size, repro_line FROM (
  SELECT f.run, f.verdict, f.triage, coalesce(u.text, '') AS cause, k.op, length(f.minimal) AS size, f.repro_line,
         row_number() OVER (PARTITION BY f.run, f.verdict, f.triage, f.cause, k.op ORDER BY length(f.minimal), f.repro_line) AS place
  FROM finding f JOIN cell_of k ON k.cell = f.cell LEFT JOIN cause u ON u.id = f.cause)
WHERE place = 1;

-- What failures have in common. A cause that says no more than the reason ("value") is one for each op. The op and the repro are of the smallest
-- finding: bare columns beside min() come from the row of the minimum.
CREATE VIEW causes AS
SELECT target, simulated, build, run_date, run, verdict, bucket, triage, reason, cause, cells, cases, ops, an_op, repro FROM (
  SELECT e.target, e.simulated, e.build, e.run_date, e.run, e.verdict, e.bucket, e.triage, e.reason, e.cause,
         count(DISTINCT e.cell) AS cells, count(*) AS cases, count(DISTINCT e.op) AS ops, e.op AS an_op, f.repro_line AS repro,
         min(coalesce(f.size, 9e999)) AS size
  FROM errors e
  LEFT JOIN smallest_finding f ON f.run = e.run AND f.verdict = e.verdict AND f.triage = e.triage AND f.cause = e.cause AND f.op = e.op
  GROUP BY e.run, e.verdict, e.triage, e.reason, e.cause, CASE WHEN e.cause = e.reason THEN e.op END);

-- Wrong and broken results that no baseline entry lists.
CREATE VIEW unexpected AS
SELECT * FROM errors WHERE bucket IN ('wrong', 'broken') AND triage NOT IN ('expected', 'improved');

-- Baseline entries that want attention: their cells were tested and nothing like them was seen, or their date has passed.
CREATE VIEW housekeeping AS
WITH entry AS (
  SELECT e.*, r.started,
         EXISTS (SELECT 1 FROM run_cell x JOIN cell_of k ON k.cell = x.cell WHERE x.run = e.run AND k.op = e.op
                 AND (e.dtypes = '' OR instr(',' || e.dtypes || ',', ',' || k.dtype || ','))
                 AND (e.paths = '' OR instr(',' || e.paths || ',', ',' || k.path || ','))) AS planned,
         EXISTS (SELECT 1 FROM result x JOIN cell_of k ON k.cell = x.cell WHERE x.run = e.run AND k.op = e.op AND x.verdict = e.verdict
                 AND (e.dtypes = '' OR instr(',' || e.dtypes || ',', ',' || k.dtype || ','))
                 AND (e.paths = '' OR instr(',' || e.paths || ',', ',' || k.path || ','))
                 AND (e.verdict_reason = '' OR e.verdict_reason = x.reason)) AS seen
  FROM expectation e JOIN run r ON r.id = e.run)
SELECT run, 'not_seen' AS kind, op, dtypes, paths, verdict, issue FROM entry WHERE planned AND NOT seen
UNION ALL SELECT run, 'past_review', op, dtypes, paths, verdict, issue FROM entry WHERE review <> '' AND review < substr(started, 1, 10)
UNION ALL SELECT run, 'past_until', op, dtypes, paths, verdict, issue FROM entry WHERE until <> '' AND until < substr(started, 1, 10);

CREATE VIEW numerics AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.dtype, k.path, count(*) AS cases,
       max(x.error_ulps) AS largest_ulps, avg(x.error_ulps) AS mean_ulps, max(x.bound_share) AS largest_share, sum(x.bound_share > 1) AS outside
FROM result x JOIN verdict v ON v.word = x.verdict JOIN run_of q ON q.run = x.run JOIN cell_of k ON k.cell = x.cell
WHERE v.bucket IN ('native', 'weak', 'degraded') OR x.verdict = 'mismatch'
GROUP BY x.run, x.cell;

-- Between consecutive complete runs of one series.
CREATE VIEW release_diff AS
WITH pair AS (
  SELECT p.id AS from_run, r.id AS to_run, r.series, r.position FROM run r JOIN run p ON p.series = r.series AND p.position = r.position - 1),
change AS (
  SELECT pair.from_run, pair.to_run, x.series, x.cell, w.state AS was, x.state AS now, x.first
  FROM pair JOIN cell_result x ON x.series = pair.series AND x.first = pair.position
  LEFT JOIN cell_result w ON w.series = x.series AND w.cell = x.cell AND w.last = pair.position - 1
  WHERE w.state IS NOT x.state
  UNION ALL
  SELECT pair.from_run, pair.to_run, w.series, w.cell, w.state, NULL, w.first
  FROM pair JOIN cell_result w ON w.series = pair.series AND w.last = pair.position - 1
  WHERE NOT EXISTS (SELECT 1 FROM cell_result x WHERE x.series = w.series AND x.cell = w.cell AND x.first = pair.position))
SELECT q.target, q.simulated, q.build, q.run_date, d.from_run, d.to_run, k.op, k.dtype, k.path, d.was, d.now,
       CASE WHEN d.was IS NULL THEN 'new' WHEN d.now IS NULL THEN 'removed'
            WHEN vn.severity > vw.severity THEN
              CASE WHEN EXISTS (SELECT 1 FROM cell_result a WHERE a.series = d.series AND a.cell = d.cell AND a.first < d.first AND a.state = d.now)
                   THEN 'regressed_again' ELSE 'regressed' END
            WHEN vn.severity < vw.severity THEN 'fixed' ELSE 'changed' END AS kind
FROM change d JOIN run_of q ON q.run = d.to_run JOIN cell_of k ON k.cell = d.cell
LEFT JOIN state_severity vw ON vw.state = d.was LEFT JOIN state_severity vn ON vn.state = d.now;

CREATE VIEW flaky AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.dtype, k.path, f.case_id, f.verdict,
       f.retries, f.retries_failed, CASE WHEN f.retries_failed = 0 THEN 'batch_only' ELSE 'flaky' END AS kind, f.repro_line
FROM finding f JOIN run_of q ON q.run = f.run JOIN cell_of k ON k.cell = f.cell
WHERE f.retries > 0 AND f.retries_failed < f.retries;

CREATE VIEW dynamic_shapes AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.dtype, k.path,
       count(DISTINCT c.compile_key) AS compile_keys, sum(c.cases) AS cases, sum(c.compilations) AS compilations,
       round(sum(c.compile_us) / 1e6, 3) AS compile_s
FROM compilation c JOIN run_of q ON q.run = c.run JOIN cell_of k ON k.cell = c.cell
GROUP BY c.run, c.cell;

CREATE VIEW graph_breaks AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, k.op, k.dtype, k.path, sum(c.graphs) AS graphs, sum(c.breaks) AS breaks, sum(c.cases) AS cases,
       (SELECT u.text FROM result x JOIN cause u ON u.id = x.cause WHERE x.run = c.run AND x.cell = c.cell AND x.verdict = 'graph_break' LIMIT 1) AS reason
FROM compilation c JOIN run_of q ON q.run = c.run JOIN cell_of k ON k.cell = c.cell
GROUP BY c.run, c.cell HAVING sum(c.breaks) > 0;

-- One case, judged twice, with different verdicts.
CREATE VIEW conflicts AS
SELECT q.target, q.simulated, q.build, q.run_date, q.run, w.name AS row, x.n, k.op, k.dtype, k.path, group_concat(x.verdict, ', ') AS verdicts
FROM result x JOIN run_of q ON q.run = x.run JOIN cell_of k ON k.cell = x.cell JOIN catalogue_row w ON w.id = x.row
GROUP BY x.run, x.row, x.n, x.cell HAVING count(*) > 1;

CREATE VIEW glossary AS
SELECT word, meaning FROM word
UNION ALL SELECT word, 'verdict, counted as ' || bucket || ': ' || meaning FROM verdict;

CREATE VIEW about (view, answers, example) AS VALUES
  ('matrix', 'what state is each op x dtype x path in, per target, and since when', 'SELECT op, dtype, path, state, since_date FROM matrix'),
  ('coverage', 'how many cells of each op, family, dtype, path are native, fall back, ...', 'SELECT * FROM coverage WHERE by = ''family'''),
  ('lists', 'of Core ATen, what the vendor registers, and what OpInfos reach: how many ops have rows, with which oracle, and were tested', 'SELECT list, ops, with_row, missing FROM lists'),
  ('catalogue', 'rows, dtypes and strength of the oracle of each op, or why it cannot be tested', 'SELECT op, rows, untestable FROM catalogue WHERE rows = 0'),
  ('fallbacks', 'which operators ran on the CPU instead, with how many copies', 'SELECT op, dtype, host_op, copies FROM fallbacks'),
  ('errors', 'every wrong, broken or refused case', 'SELECT op, dtype, path, detail FROM errors WHERE bucket = ''wrong'''),
  ('causes', 'what the failures have in common', 'SELECT cause, cells, repro FROM causes ORDER BY cells DESC'),
  ('unexpected', 'wrong and broken results that no baseline entry lists', 'SELECT op, dtype, path, verdict, detail FROM unexpected'),
  ('housekeeping', 'which baseline entries matched nothing, or are past their date', 'SELECT kind, op, issue FROM housekeeping'),
  ('numerics', 'how far from the reference, in ulps and as a share of what is allowed', 'SELECT op, dtype, largest_ulps FROM numerics'),
  ('release_diff', 'which cells changed from one complete run to the next', 'SELECT op, dtype, path, was, now, kind FROM release_diff'),
  ('run_health', 'can a run be believed', 'SELECT run_date, state, planned, done, why FROM run_health'),
  ('flaky', 'which findings did not repeat', 'SELECT op, case_id, kind FROM flaky'),
  ('dynamic_shapes', 'how many compilations for how many shapes', 'SELECT op, compile_keys, compilations FROM dynamic_shapes'),
  ('graph_breaks', 'where compiled code is not one graph', 'SELECT op, breaks, reason FROM graph_breaks'),
  ('conflicts', 'which cases were judged twice with different verdicts', 'SELECT * FROM conflicts'),
  ('cells', 'the matrix of any run, not only the latest', 'SELECT op, state FROM cells WHERE run = 1'),
  ('glossary', 'what the words mean', 'SELECT * FROM glossary');
