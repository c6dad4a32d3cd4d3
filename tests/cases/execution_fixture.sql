-- The tables of execution_cases.json: plain ones, odd names, text that is not UTF-8, broken views.
CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, pop INT, country TEXT, grade TEXT);
INSERT INTO city VALUES (1,'Lima',10,'PE','a'),(2,'Cuzco',4,'PE',NULL),(3,'Quito',10,'EC','b'),
                        (4,CAST(x'4d616e61e9' AS TEXT),7,'BR','a');
CREATE TABLE "order"("key" INT, note TEXT);
INSERT INTO "order" VALUES (7,'x -- y');
CREATE TABLE "odd table"("odd name" TEXT, "%x" INT, "a-b" INT, "q""q" INT, größe REAL, 名 TEXT);
INSERT INTO "odd table" VALUES ('a''b',1,10,5,1.5,'東京'),('c"d',2,20,6,2.5,'大阪');
CREATE TABLE big(id INTEGER PRIMARY KEY, seq INTEGER);
INSERT INTO big WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n<300) SELECT n, n%7 FROM r;
CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE VIEW broken AS SELECT * FROM gone;
