CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner TEXT NOT NULL UNIQUE, balance DOUBLE NOT NULL CHECK (balance < 1000000));
CREATE TABLE ledger (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id), amount DOUBLE NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, status TEXT NOT NULL, placed DATE);
INSERT INTO accounts VALUES (1, 'Ann', 50), (2, 'Bob', 500), (3, 'Cleo', 0);
INSERT INTO ledger VALUES (1, 1, 50), (2, 2, 500);
INSERT INTO orders VALUES (1, 1, 'open', '2024-01-01'), (2, 2, 'shipped', '2024-01-02');
-- The one kind of trigger that DuckDB has; error() is how it can refuse.
CREATE TABLE refusals (reason TEXT);
CREATE TRIGGER append_only AFTER UPDATE ON ledger FOR EACH STATEMENT
INSERT INTO refusals SELECT error('the ledger is append-only');
