-- Keys of messages and titles that are stored and still to be indexed: see store/backlog.py.

create table backlog (
    low        integer primary key,
    high       integer not null,
    characters integer not null
);
