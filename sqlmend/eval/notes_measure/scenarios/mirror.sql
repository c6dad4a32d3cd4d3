CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, channel TEXT, amount INTEGER);
INSERT INTO customers VALUES (1, 'Ann', 'Bern'), (2, 'Bob', 'Basel'), (3, 'Cleo', 'Bern'), (4, 'Dan', 'Chur'), (5, 'Eve', 'Chur');
INSERT INTO orders VALUES
  (1, 1, 'open', 'web', 15), (2, 1, 'open', 'web', 40), (3, 2, 'sent', 'shop', 25), (4, 3, 'open', 'shop', 60),
  (5, 2, 'sent', 'web', 5), (6, 3, 'paid', 'web', 30), (7, 4, 'open', 'web', 10);
