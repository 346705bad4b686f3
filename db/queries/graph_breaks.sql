-- Where is compiled code not one graph?
SELECT op, dtype, path, graphs, breaks, cases, reason, target, simulated
FROM graph_breaks
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
  AND (:op IS NULL OR op GLOB :op)
ORDER BY breaks DESC, op, dtype, path;
