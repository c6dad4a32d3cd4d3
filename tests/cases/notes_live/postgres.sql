CREATE TABLE accounts (id integer PRIMARY KEY, owner text NOT NULL UNIQUE, balance numeric NOT NULL CHECK (balance < 1000000));
CREATE TABLE ledger (id integer PRIMARY KEY, account_id integer NOT NULL REFERENCES accounts (id), amount numeric NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, account_id integer NOT NULL, status text NOT NULL, during int4range, placed date,
  EXCLUDE USING gist (during WITH &&));
CREATE VIEW rich AS SELECT * FROM accounts WHERE balance > 100 WITH CHECK OPTION;
INSERT INTO accounts VALUES (1, 'Ann', 50), (2, 'Bob', 500), (3, 'Cleo', 0);
INSERT INTO ledger VALUES (1, 1, 50), (2, 2, 500);
INSERT INTO orders VALUES (1, 1, 'open', '[1,5)', '2024-01-01'), (2, 2, 'shipped', '[5,9)', '2024-01-02');

CREATE FUNCTION no_overdraft() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.balance < 0 THEN
    RAISE EXCEPTION 'overdraft: account % holds %', NEW.id, OLD.balance;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_overdraft BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION no_overdraft();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only' USING HINT = 'add a row that corrects it';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION append_only();

-- With a code of its own: it looks like a constraint and is a rule.
CREATE FUNCTION shipped_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'shipped' THEN
    RAISE EXCEPTION USING MESSAGE = 'a shipped order cannot be changed', ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER shipped_stays BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION shipped_stays();

CREATE FUNCTION pay(account integer, amount numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  ASSERT amount > 0, 'pay takes a positive amount';
  UPDATE accounts SET balance = balance - amount WHERE id = account;
END $$;

CREATE ROLE clerk LOGIN;
GRANT SELECT ON accounts TO clerk;
