-- How many memories hold in each topic, so that a page can say it without counting them.
create table memory_topics (
    owner   text    not null,
    project text    not null,
    topic   text    not null,
    held    integer not null,
    primary key (owner, project, topic)
) without rowid;

-- Kept by the database itself, whoever folds the journal.
create trigger count_new_memory after insert on memories when new.status = 'active'
begin
    insert into memory_topics (owner, project, topic, held) values (new.owner, new.project, new.topic, 1)
    on conflict (owner, project, topic) do update set held = held + 1;
end;

create trigger count_changed_memory after update of project, topic, status on memories
when (old.project, old.topic, old.status = 'active') is not (new.project, new.topic, new.status = 'active')
begin
    update memory_topics set held = held - 1
    where old.status = 'active' and owner = old.owner and project = old.project and topic = old.topic;
    insert into memory_topics (owner, project, topic, held)
    select new.owner, new.project, new.topic, 1 where new.status = 'active'
    on conflict (owner, project, topic) do update set held = held + 1;
end;

create trigger count_lost_memory after delete on memories when old.status = 'active'
begin
    update memory_topics set held = held - 1
    where owner = old.owner and project = old.project and topic = old.topic;
end;

insert into memory_topics (owner, project, topic, held)
select owner, project, topic, count(*) from memories where status = 'active' group by owner, project, topic;
