"""The program inside the sandbox: runs one read-only statement at a time and answers over a socket.

It is started as a program of its own (``_process.py``), with an empty environment and the standard library
alone; nothing in it may import the rest of sqlmend. Safety is the engine's, in layers: a read-only
connection, an authorizer that allows nothing but reading (``guard.py``), resource limits that leave no way to
write a byte (``confine.py``), and a parent that kills it at the deadline.
"""
