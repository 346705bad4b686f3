-- What can be asked with plain SQL?
SELECT view, answers, example FROM about;
