-- Which cells changed between two runs (--from, --to; unless said otherwise the latest complete run and the one before it)?
WITH was AS MATERIALIZED (SELECT cell, state FROM run_cell WHERE run = :older_run),
now AS MATERIALIZED (SELECT cell, state FROM run_cell WHERE run = :newer_run),
changed AS (
  SELECT now.cell, was.state AS was, now.state AS now FROM now LEFT JOIN was ON was.cell = now.cell
  WHERE was.state IS NOT now.state AND :older_run IS NOT NULL
  UNION ALL SELECT was.cell, was.state, NULL FROM was WHERE was.cell NOT IN (SELECT cell FROM now))
SELECT k.op, k.dtype, k.path, c.was, c.now,
       CASE WHEN c.was IS NULL THEN 'new' WHEN c.now IS NULL THEN 'removed' WHEN n.severity > w.severity THEN 'regressed'
            WHEN n.severity < w.severity THEN 'fixed' ELSE 'changed' END AS kind
FROM changed c JOIN cell_of k ON k.cell = c.cell
LEFT JOIN state_severity w ON w.state = c.was LEFT JOIN state_severity n ON n.state = c.now
WHERE :op IS NULL OR k.op GLOB :op
ORDER BY kind, k.op, k.dtype, k.path;
