-- Of the OpInfos of the installed torch, how many were judged on each path, and why not the others? (latest run of each target with the source opinfo)
WITH seen AS MATERIALIZED (
  SELECT target, simulated, path, op, sum(judged) AS judged, max(CASE WHEN judged = 0 THEN state END) AS state
  FROM matrix WHERE op GLOB 'opinfo::*' GROUP BY target, path, op),
paths AS (SELECT DISTINCT target, simulated, path FROM seen),
answered AS (
  SELECT p.target, p.simulated, p.path, c.op,
         CASE WHEN c.untestable <> '' THEN c.untestable
              WHEN NOT EXISTS (SELECT 1 FROM seen o WHERE o.target = p.target AND o.op = c.op) THEN 'not in this run'
              WHEN s.op IS NULL AND p.path GLOB '*backward' THEN 'takes no gradients'
              WHEN s.op IS NULL THEN 'returns a number: there is no graph' WHEN s.judged > 0 THEN 'judged' ELSE s.state END AS answer
  FROM paths p JOIN catalogue c ON c.lists = 'opinfo_samples' LEFT JOIN seen s ON s.target = p.target AND s.path = p.path AND s.op = c.op)
SELECT path, count(*) AS opinfos, round(100.0 * count(*) / sum(count(*)) OVER (PARTITION BY target, path), 1) AS percent, substr(answer, 1, 60) AS answer,
       CASE WHEN answer IN ('judged', 'takes no gradients', 'not in this run') THEN '' ELSE group_concat(replace(op, 'opinfo::', ''), ' ') END AS which, target, simulated
FROM answered
WHERE (:target IS NULL OR target = :target) AND (:op IS NULL OR op GLOB :op)
GROUP BY target, path, answer
ORDER BY target, path, answer <> 'judged', count(*) DESC;
