-- Keys of messages and titles that are stored and still to be indexed: see store/backlog.py.
-- Some databases of the first schema have such a table already, without the number of characters.

create table if not exists backlog (
    low  integer primary key,
    high integer not null
);
alter table backlog rename to former_backlog;

create table backlog (
    low        integer primary key,
    high       integer not null,
    characters integer not null
);
insert into backlog select low, high, 0 from former_backlog;
drop table former_backlog;
