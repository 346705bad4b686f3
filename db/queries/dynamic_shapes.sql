-- How many compilations did how many shapes cost?
SELECT op, dtype, path, compile_keys, cases, compilations, compile_s, target, simulated
FROM dynamic_shapes
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
  AND (:op IS NULL OR op GLOB :op)
ORDER BY compile_s DESC, op, dtype, path;
