-- Lines of memories as the page of their project shows them, so that those that did not change are not made again.
create table memory_lines (
    owner   plain  not null,
    project plain  not null,
    memory  plain  not null,
    form    bigint not null,       -- of lines: see pages/lines.py
    section plain  not null,
    text    plain  not null,
    is_must bigint not null,
    topic   plain  not null,
    size    bigint not null,       -- in bytes, with the end of the line
    primary key (owner, project, memory)
);
select noctuary_guard('memory_lines');

create function forget_line() returns trigger language plpgsql as $$
begin
    delete from memory_lines where owner = old.owner and project = old.project and memory = old.id;
    return null;
end $$;
create trigger forget_line after update or delete on memories
for each row execute function forget_line();

-- With what decides which memories lead, so that these are found without reading any.
drop index memories_by_weight;
create index memories_by_weight on memories (owner, project, status, pinned desc, weight desc, id, verified);
