CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner TEXT NOT NULL UNIQUE, balance REAL NOT NULL CHECK (balance < 1000000));
CREATE TABLE ledger (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id), amount REAL NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, status TEXT NOT NULL, placed DATE);
CREATE TABLE strictly (n INTEGER) STRICT;
CREATE VIEW rich AS SELECT * FROM accounts WHERE balance > 100;
INSERT INTO accounts VALUES (1, 'Ann', 50), (2, 'Bob', 500), (3, 'Cleo', 0);
INSERT INTO ledger VALUES (1, 1, 50), (2, 2, 500);
INSERT INTO orders VALUES (1, 1, 'open', '2024-01-01'), (2, 2, 'shipped', '2024-01-02');
CREATE TRIGGER no_overdraft BEFORE UPDATE ON accounts WHEN NEW.balance < 0
BEGIN SELECT RAISE(ABORT, 'overdraft: the account does not hold that much'); END;
CREATE TRIGGER append_only BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER append_only_too BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER shipped_stays BEFORE UPDATE ON orders WHEN OLD.status = 'shipped'
BEGIN SELECT RAISE(FAIL, 'a shipped order cannot be changed'); END;
CREATE TRIGGER shipped_goes BEFORE DELETE ON orders WHEN OLD.status = 'shipped'
BEGIN SELECT RAISE(ROLLBACK, 'CHECK constraint failed: shipped'); END;
