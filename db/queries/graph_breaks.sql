-- Where is compiled code not one graph?
SELECT op, dtype, path, graphs, breaks, cases, reason, target, simulated
FROM graph_breaks
WHERE run = :chosen_run
  AND (:op IS NULL OR op GLOB :op)
ORDER BY breaks DESC, op, dtype, path;
