-- Lines of journals, where the journal is no file: see ledger/table_journal.py.
create table journal_lines (
    owner   text    not null,
    project text    not null,
    start   integer not null,      -- the byte at which it would begin in a file
    number  integer not null,      -- from 1
    content blob    not null,      -- without its end
    primary key (owner, project, start)
) without rowid;
