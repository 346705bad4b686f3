-- Which baseline entries matched nothing in what was tested, or are past their date?
SELECT kind, op, dtypes, paths, verdict, issue, run
FROM housekeeping
WHERE run = :chosen_run
ORDER BY kind, op, verdict;
