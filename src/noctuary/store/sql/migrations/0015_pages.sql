-- Lines of memories as the page of their project shows them, so that those that did not change are not made again.
create table memory_lines (
    owner   text    not null,
    project text    not null,
    memory  text    not null,
    form    integer not null,      -- of lines: see pages/lines.py
    section text    not null,
    text    text    not null,
    is_must integer not null,
    topic   text    not null,
    size    integer not null,      -- in bytes, with the end of the line
    primary key (owner, project, memory)
) without rowid;

-- Kept by the database itself, whoever folds the journal: what is changed has no line until one is made again.
create trigger forget_line_of_changed_memory after update on memories
begin
    delete from memory_lines where owner = old.owner and project = old.project and memory = old.id;
end;

create trigger forget_line_of_lost_memory after delete on memories
begin
    delete from memory_lines where owner = old.owner and project = old.project and memory = old.id;
end;

-- With what decides which memories lead, so that these are found without reading any.
drop index memories_by_weight;
create index memories_by_weight on memories (owner, project, status, pinned desc, weight desc, id, verified);

-- Tables with rowids: without them, SQLite reads all of a long row, over page after page, to compare its key.
create table runs_with_rowids (
    owner       text    not null,
    id          text    not null,               -- a ULID: later runs have greater ones
    status      text    not null,
    "trigger"   text    not null,
    started_ms  integer not null,
    finished_ms integer,
    report      text,                           -- JSON
    primary key (owner, id)
);
insert into runs_with_rowids select owner, id, status, "trigger", started_ms, finished_ms, report from dream_runs;
drop table dream_runs;
alter table runs_with_rowids rename to dream_runs;
create index dream_runs_by_start on dream_runs (owner, started_ms);
create index dream_runs_being_undone on dream_runs (status) where status = 'undoing';
create trigger tell_run after insert on dream_runs
begin
    insert into changes (owner, kind, name, detail) values (new.owner, 'run', new.id, new.status);
end;

create trigger tell_run_status after update of status on dream_runs when old.status <> new.status
begin
    insert into changes (owner, kind, name, detail) values (new.owner, 'run', new.id, new.status);
end;

create table pages_with_rowids (
    owner      text    not null,
    project    text    not null,
    digest     text    not null,
    body       text,
    written_ms integer not null,
    primary key (owner, project, digest)
);
insert into pages_with_rowids select owner, project, digest, body, written_ms from memory_pages;
drop table memory_pages;
alter table pages_with_rowids rename to memory_pages;
