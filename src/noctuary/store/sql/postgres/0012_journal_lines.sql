-- Lines of journals: see ledger/table_journal.py.
create table journal_lines (
    owner   plain  not null,
    project plain  not null,
    start   bigint not null,       -- the byte at which it would begin in a file
    number  bigint not null,       -- from 1
    content bytea  not null,       -- without its end
    primary key (owner, project, start)
);

select noctuary_guard('journal_lines');
