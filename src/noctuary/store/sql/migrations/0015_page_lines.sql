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
