-- Rows with nulls in every nullable column, equal amounts, letters of both cases, and text that looks like syntax.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER,
  city TEXT,
  status TEXT,
  amount REAL,
  quantity INTEGER,
  note TEXT,
  placed DATE,
  "unit price" NUMERIC
);
INSERT INTO orders VALUES
  (1, 10, 'Bern', 'open', 12.5, 2, 'a.b', '2024-01-03', 6),
  (2, 11, 'Basel', 'shipped', 40.0, 4, 'a_b', '2024-01-09', 10),
  (3, 10, 'Bern', 'shipped', NULL, 1, NULL, '2024-02-01', NULL),
  (4, 12, NULL, 'open', 7.25, NULL, '50% off', '2024-02-14', 7.25),
  (5, 11, 'Zürich', 'cancelled', 0.0, 0, '$price', NULL, 0),
  (6, NULL, 'Bern', NULL, 99.9, 9, 'A.B', '2024-03-30', 11.1),
  (7, 12, 'basel', 'open', -3.5, 1, '', '2024-03-31', -3.5),
  (8, 13, NULL, 'open', 40.0, 8, 'line
feed', '2024-04-01', 5),
  (9, 13, 'Genève', 'shipped', 18.0, 3, 'ÄB', '2024-04-02', 6),
  (10, 10, 'Basel', NULL, NULL, NULL, 'it''s', NULL, NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, vip INTEGER);
INSERT INTO customers VALUES (10, 'Ann', 'Bern', 1), (11, 'Bob', 'Basel', 0), (12, 'Cleo', NULL, NULL);
CREATE TABLE returns (id INTEGER PRIMARY KEY, order_id INTEGER, amount REAL);
CREATE VIEW open_orders AS SELECT * FROM orders WHERE status = 'open';
