-- One source, attached as `source`, into `main`. Keys are matched by the words behind the integers. Where both hold the same row with other details
-- (times), the greater JSON text wins: a rule that does not depend on the order.

INSERT OR IGNORE INTO main.target (name, simulated) SELECT name, simulated FROM source.target;
INSERT OR IGNORE INTO main.build (fingerprint, settings) SELECT fingerprint, settings FROM source.build;
INSERT OR IGNORE INTO main.suite (fingerprint, name) SELECT fingerprint, name FROM source.suite;
INSERT OR IGNORE INTO main.catalogue_row (name) SELECT name FROM source.catalogue_row;
INSERT OR IGNORE INTO main.cause (text) SELECT text FROM source.cause;
INSERT INTO main.op (name, family, lists, vendor_claim) SELECT name, family, lists, vendor_claim FROM source.op WHERE true
  ON CONFLICT DO UPDATE SET family = max(family, excluded.family), lists = max(lists, excluded.lists);
INSERT OR REPLACE INTO main.catalogue_op (op, rows, dtypes, strength, gradients, compiled, untestable)
  SELECT o.id, c.rows, c.dtypes, c.strength, c.gradients, c.compiled, c.untestable
  FROM source.catalogue_op c JOIN source.op so ON so.id = c.op JOIN main.op o ON o.name = so.name;
INSERT INTO main.test_case (case_id, json, source, input_classes) SELECT case_id, json, source, input_classes FROM source.test_case WHERE true
  ON CONFLICT DO UPDATE SET input_classes = max(input_classes, excluded.input_classes);
INSERT OR IGNORE INTO main.cell (op, dtype, path)
  SELECT o.id, c.dtype, c.path FROM source.cell c JOIN source.op so ON so.id = c.op JOIN main.op o ON o.name = so.name;
INSERT OR IGNORE INTO main.series (target, suite, lane, selection)
  SELECT t.id, u.id, s.lane, s.selection
  FROM source.series s JOIN source.target st ON st.id = s.target JOIN main.target t ON t.name = st.name
  JOIN source.suite su ON su.id = s.suite JOIN main.suite u ON u.fingerprint = su.fingerprint;

CREATE TEMP TABLE cell_map AS
  SELECT sc.id AS old, c.id AS new FROM source.cell sc JOIN source.op so ON so.id = sc.op JOIN main.op o ON o.name = so.name
  JOIN main.cell c ON c.op = o.id AND c.dtype = sc.dtype AND c.path = sc.path;
CREATE TEMP TABLE series_map AS
  SELECT ss.id AS old, s.id AS new
  FROM source.series ss JOIN source.target st ON st.id = ss.target JOIN main.target t ON t.name = st.name
  JOIN source.suite su ON su.id = ss.suite JOIN main.suite u ON u.fingerprint = su.fingerprint
  JOIN main.series s ON s.target = t.id AND s.suite = u.id AND s.lane = ss.lane AND s.selection = ss.selection;

INSERT OR IGNORE INTO main.run (uid, series, build, seed, keys, fault, started, has_baseline, state)
  SELECT sr.uid, m.new, b.id, sr.seed, sr.keys, sr.fault, sr.started, sr.has_baseline, 'partial'
  FROM source.run sr JOIN series_map m ON m.old = sr.series JOIN source.build sb ON sb.id = sr.build JOIN main.build b ON b.fingerprint = sb.fingerprint;
CREATE TEMP TABLE run_map AS SELECT sr.id AS old, r.id AS new FROM source.run sr JOIN main.run r ON r.uid = sr.uid;

INSERT INTO main.shard (run, shard, shards, plan_fingerprint, plan, host, jobs, planned, state, ended, wall_s, why, canaries)
  SELECT m.new, h.shard, h.shards, h.plan_fingerprint, h.plan, h.host, h.jobs, h.planned, h.state, h.ended, h.wall_s, h.why, h.canaries
  FROM source.shard h JOIN run_map m ON m.old = h.run WHERE true
  ON CONFLICT DO UPDATE SET host = excluded.host, jobs = excluded.jobs, state = excluded.state, ended = excluded.ended, wall_s = excluded.wall_s,
    why = excluded.why, canaries = excluded.canaries
  WHERE (excluded.state = 'void', excluded.state = 'complete', excluded.ended, excluded.wall_s, excluded.host, excluded.jobs, excluded.why, excluded.canaries)
      > (state = 'void', state = 'complete', ended, wall_s, host, jobs, why, canaries);

INSERT INTO main.result (run, row, n, cell, verdict, error_ulps, bound_share, run_us, compile_us, harness_us, triage, reason, flags, cause, detail, oracle,
                         strength, placement, evidence, worst, test_case)
  SELECT m.new, w.id, x.n, c.new, x.verdict, x.error_ulps, x.bound_share, x.run_us, x.compile_us, x.harness_us, x.triage, x.reason, x.flags, u.id, x.detail,
         x.oracle, x.strength, x.placement, x.evidence, x.worst, t.id
  FROM source.result x JOIN run_map m ON m.old = x.run JOIN cell_map c ON c.old = x.cell
  JOIN source.catalogue_row sw ON sw.id = x.row JOIN main.catalogue_row w ON w.name = sw.name
  LEFT JOIN source.cause su ON su.id = x.cause LEFT JOIN main.cause u ON u.text = su.text
  LEFT JOIN source.test_case st ON st.id = x.test_case LEFT JOIN main.test_case t ON t.case_id = st.case_id
  WHERE true
  ON CONFLICT DO UPDATE SET error_ulps = excluded.error_ulps, bound_share = excluded.bound_share, run_us = excluded.run_us, compile_us = excluded.compile_us,
    harness_us = excluded.harness_us, triage = excluded.triage, reason = excluded.reason, flags = excluded.flags, cause = excluded.cause,
    detail = excluded.detail, oracle = excluded.oracle, strength = excluded.strength, placement = excluded.placement, evidence = excluded.evidence,
    worst = excluded.worst, test_case = excluded.test_case
  WHERE format('%!.17g|%!.17g|%d|%d|%d|%s|%s|%s|%s|%s|%s|%s|%d|%s', excluded.error_ulps, excluded.bound_share, excluded.run_us, excluded.compile_us,
               excluded.harness_us, excluded.triage, excluded.reason, excluded.flags, excluded.detail, excluded.oracle, excluded.strength, excluded.placement,
               excluded.evidence, excluded.worst) || coalesce((SELECT text FROM main.cause WHERE id = excluded.cause), '')
               || coalesce((SELECT case_id FROM main.test_case WHERE id = excluded.test_case), '')
      > format('%!.17g|%!.17g|%d|%d|%d|%s|%s|%s|%s|%s|%s|%s|%d|%s', error_ulps, bound_share, run_us, compile_us,
               harness_us, triage, reason, flags, detail, oracle, strength, placement,
               evidence, worst) || coalesce((SELECT text FROM main.cause WHERE id = result.cause), '')
               || coalesce((SELECT case_id FROM main.test_case WHERE id = result.test_case), '');

INSERT INTO main.finding (run, row, n, cell, verdict, triage, cause, case_id, record, minimal, retries, retries_failed, shrink_steps, repro_line)
  SELECT m.new, w.id, f.n, c.new, f.verdict, f.triage, u.id, f.case_id, f.record, f.minimal, f.retries, f.retries_failed, f.shrink_steps, f.repro_line
  FROM source.finding f JOIN run_map m ON m.old = f.run JOIN cell_map c ON c.old = f.cell
  JOIN source.catalogue_row sw ON sw.id = f.row JOIN main.catalogue_row w ON w.name = sw.name
  LEFT JOIN source.cause su ON su.id = f.cause LEFT JOIN main.cause u ON u.text = su.text
  ORDER BY w.name, f.n, c.new, f.verdict
  ON CONFLICT DO UPDATE SET triage = excluded.triage, cause = excluded.cause, case_id = excluded.case_id, record = excluded.record,
    minimal = excluded.minimal, retries = excluded.retries, retries_failed = excluded.retries_failed, shrink_steps = excluded.shrink_steps,
    repro_line = excluded.repro_line
  WHERE (excluded.minimal, excluded.record, excluded.repro_line, excluded.triage, excluded.retries, excluded.retries_failed, excluded.shrink_steps)
      > (minimal, record, repro_line, triage, retries, retries_failed, shrink_steps);

INSERT INTO main.fallback (run, shard, cell, host_op, copies, bytes, cases)
  SELECT m.new, f.shard, c.new, f.host_op, f.copies, f.bytes, f.cases
  FROM source.fallback f JOIN run_map m ON m.old = f.run JOIN cell_map c ON c.old = f.cell WHERE true
  ON CONFLICT DO UPDATE SET copies = excluded.copies, bytes = excluded.bytes, cases = excluded.cases
  WHERE (excluded.cases, excluded.bytes, excluded.copies) > (cases, bytes, copies);
INSERT INTO main.compilation (run, shard, cell, compile_key, cases, compilations, graphs, breaks, compile_us)
  SELECT m.new, k.shard, c.new, k.compile_key, k.cases, k.compilations, k.graphs, k.breaks, k.compile_us
  FROM source.compilation k JOIN run_map m ON m.old = k.run JOIN cell_map c ON c.old = k.cell WHERE true
  ON CONFLICT DO UPDATE SET cases = excluded.cases, compilations = excluded.compilations, graphs = excluded.graphs, breaks = excluded.breaks,
    compile_us = excluded.compile_us
  WHERE (excluded.cases, excluded.compilations, excluded.graphs, excluded.breaks, excluded.compile_us) > (cases, compilations, graphs, breaks, compile_us);
INSERT OR IGNORE INTO main.expectation
  SELECT m.new, number, op, dtypes, paths, input_class, builds_from, builds_to, verdict, verdict_reason, ceiling_ulps, issue, reason, since, review, until
  FROM source.expectation e JOIN run_map m ON m.old = e.run;
