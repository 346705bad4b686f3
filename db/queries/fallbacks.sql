-- Which operators ran on the CPU instead of the device, with how many copies and bytes?
SELECT op, dtype, path, host_op, cases, copies, bytes, target, simulated
FROM fallbacks
WHERE run = :chosen_run
  AND (:op IS NULL OR op GLOB :op)
ORDER BY bytes DESC, op, dtype, path, host_op;
