-- How many compilations did how many shapes cost?
SELECT op, dtype, path, compile_keys, cases, compilations, compile_s, target, simulated
FROM dynamic_shapes
WHERE run = :chosen_run
  AND (:op IS NULL OR op GLOB :op)
ORDER BY compile_s DESC, op, dtype, path;
