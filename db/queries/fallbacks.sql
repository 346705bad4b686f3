-- Which operators ran on the CPU instead of the device, with how many copies and bytes?
SELECT op, dtype, path, host_op, cases, copies, bytes, target, simulated
FROM fallbacks
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
  AND (:op IS NULL OR op GLOB :op)
ORDER BY bytes DESC, op, dtype, path, host_op;
