ALTER TABLE cell_result ADD COLUMN rigorous INTEGER;
ALTER TABLE cell_result ADD COLUMN estimated INTEGER;
