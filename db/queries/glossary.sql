-- What do the words mean?
SELECT word, meaning FROM glossary ORDER BY word;
