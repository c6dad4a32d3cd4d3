"""How many characters of each kind of untrusted text a prompt shows at most."""

SCHEMA_LIMIT = 60_000
EVIDENCE_LIMIT = 4_000
QUESTION_LIMIT = 4_000
SQL_LIMIT = 4_000
ERROR_LIMIT = 600
DELTA_LIMIT = 1_200
