-- Of each list of operators, how many have rows, with which oracle, and were tested? (latest run of each target; `ops --missing` names the rest)
SELECT list, ops, with_row, untestable, missing, rigorous, estimated, structural, gradients, compiled, tested, native, target, simulated
FROM lists
WHERE :target IS NULL OR target = :target
ORDER BY target, list = 'any' DESC, list;
