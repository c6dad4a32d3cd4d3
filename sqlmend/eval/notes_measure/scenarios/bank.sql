CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, team TEXT, balance INTEGER NOT NULL);
CREATE TABLE ledger (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, amount INTEGER NOT NULL, memo TEXT);
CREATE TABLE documents (id INTEGER PRIMARY KEY, title TEXT, department TEXT, year INTEGER);
INSERT INTO accounts VALUES
  (1, 'Ann', 'north', 120), (2, 'Bob', 'north', 40), (3, 'Cleo', 'south', 10), (4, 'Dan', 'north', 60), (5, 'Eve', 'south', 300);
INSERT INTO ledger VALUES (1, 1, 100, 'salary'), (2, 1, 20, 'refund'), (3, 2, 40, 'deposit'), (4, 4, 60, 'deposit');
INSERT INTO documents VALUES
  (1, 'offer', 'sales', 2017), (2, 'contract', 'legal', 2018), (3, 'plan', 'sales', 2023), (4, 'memo', 'staff', 2019),
  (5, 'ruling', 'legal', 2022);
CREATE TRIGGER reserve BEFORE UPDATE OF balance ON accounts WHEN NEW.balance < 25
BEGIN SELECT RAISE(ABORT, 'an account must keep a balance of 25 or more'); END;
CREATE TRIGGER booked BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed: insert a further entry with the difference'); END;
CREATE TRIGGER struck BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted: insert a further entry with the difference'); END;
CREATE TRIGGER kept BEFORE DELETE ON documents WHEN OLD.department = 'legal'
BEGIN SELECT RAISE(ABORT, 'documents of the department legal must be kept'); END;
