CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  category_id INTEGER REFERENCES categories (id),
  name TEXT NOT NULL,
  discount INTEGER CHECK (discount BETWEEN 0 AND 50)
);
CREATE TABLE tags (product_id INTEGER, tag TEXT, PRIMARY KEY (product_id, tag));
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT);
CREATE TABLE order_lines (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products (id), units INTEGER);
CREATE TABLE imported_lines (product_id INTEGER, units INTEGER);
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, product_id INTEGER, units INTEGER);
CREATE TABLE sign_ups (email TEXT, name TEXT);
CREATE TABLE members (id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT);
INSERT INTO categories VALUES (1, 'tea'), (2, 'coffee'), (3, 'cups'), (4, 'spoons');
INSERT INTO products VALUES (1, 1, 'Green', 10), (2, 1, 'Black', 35), (3, 2, 'Mocha', 0), (4, 3, 'Mug', 20);
INSERT INTO tags VALUES (2, 'sale'), (3, 'new');
INSERT INTO orders VALUES (1, 7, 'open'), (2, 7, 'shipped'), (3, 8, 'open'), (4, 7, 'paid'), (5, 8, 'shipped');
INSERT INTO imported_lines VALUES (1, 5), (99, 2), (3, 1), (4, 7);
INSERT INTO sign_ups VALUES ('ann@x.org', 'Ann'), (NULL, 'Bob'), ('cleo@x.org', 'Cleo');
CREATE TRIGGER gone BEFORE UPDATE ON orders WHEN OLD.status = 'shipped'
BEGIN SELECT RAISE(ABORT, 'an order with the status shipped cannot be changed'); END;
CREATE TRIGGER pallet BEFORE INSERT ON deliveries WHEN NEW.units > 100
BEGIN SELECT RAISE(ABORT, 'a delivery holds 100 units at most: insert several deliveries'); END;
