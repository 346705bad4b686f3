-- Which cells changed between two runs (--from, --to; unless said otherwise the latest complete run and the one before it)?
WITH newer AS (
  SELECT r.id, r.series, r.position FROM run r JOIN series s ON s.id = r.series JOIN target t ON t.id = s.target
  WHERE CASE WHEN :to IS NULL THEN r.position IS NOT NULL AND (:target IS NULL OR t.name = :target) ELSE r.id = :to END
  ORDER BY r.started DESC, r.id DESC LIMIT 1),
older AS (
  SELECT r.id FROM run r, newer
  WHERE CASE WHEN :from IS NULL THEN r.series = newer.series AND r.position = newer.position - 1 ELSE r.id = :from END),
was AS MATERIALIZED (SELECT x.cell, x.state FROM older JOIN run_cell x ON x.run = older.id),
now AS MATERIALIZED (SELECT x.cell, x.state FROM newer JOIN run_cell x ON x.run = newer.id),
changed AS (
  SELECT now.cell, was.state AS was, now.state AS now FROM now LEFT JOIN was ON was.cell = now.cell
  WHERE was.state IS NOT now.state AND EXISTS (SELECT 1 FROM older)
  UNION ALL SELECT was.cell, was.state, NULL FROM was WHERE was.cell NOT IN (SELECT cell FROM now))
SELECT k.op, k.dtype, k.path, c.was, c.now,
       CASE WHEN c.was IS NULL THEN 'new' WHEN c.now IS NULL THEN 'removed' WHEN n.severity > w.severity THEN 'regressed'
            WHEN n.severity < w.severity THEN 'fixed' ELSE 'changed' END AS kind
FROM changed c JOIN cell_of k ON k.cell = c.cell
LEFT JOIN state_severity w ON w.state = c.was LEFT JOIN state_severity n ON n.state = c.now
WHERE :op IS NULL OR k.op GLOB :op
ORDER BY kind, k.op, k.dtype, k.path;
