-- A connection whose provider refuses its account: since when, by which code and why, as its object told it. Empty where
-- all is well, as far as anybody knows.

ALTER TABLE connections ADD COLUMN attention TEXT;
