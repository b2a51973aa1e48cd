-- Which messages the events rest on, so that a search that comes near a message knows that somebody noted it.
create table citations (
    owner   text    not null,
    session text    not null,
    message integer not null,
    event   integer not null,      -- its number
    primary key (owner, session, message, event)
) without rowid;
create index citations_by_event on citations (event);

-- Kept by the database itself, whoever folds the journal: an event is never changed in what it cites.
create trigger cite_messages after insert on events
when new.bookkeeping = 0 and instr(new.body, '"messages"')
begin
    insert or ignore into citations (owner, session, message, event)
    select new.owner, json_extract(m.value, '$.session'), json_extract(m.value, '$.id'), new.no
    from json_each(new.body, '$.refs.messages') m
    where json_type(m.value, '$.session') = 'text' and json_type(m.value, '$.id') = 'integer'
      and json_extract(m.value, '$.id') between 1 and 0xffffff;
end;

create trigger forget_citations after delete on events
when instr(old.body, '"messages"')
begin
    delete from citations where event = old.no;
end;

insert or ignore into citations (owner, session, message, event)
select e.owner, json_extract(m.value, '$.session'), json_extract(m.value, '$.id'), e.no
from events e, json_each(e.body, '$.refs.messages') m
where e.bookkeeping = 0 and instr(e.body, '"messages"')
  and json_type(m.value, '$.session') = 'text' and json_type(m.value, '$.id') = 'integer'
  and json_extract(m.value, '$.id') between 1 and 0xffffff;
