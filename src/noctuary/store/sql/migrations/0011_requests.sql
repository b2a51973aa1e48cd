-- What a server keeps of requests: answers by idempotency key, dreams that were asked for, and what changed.

-- What was answered to a request that its sender may repeat; written in the transaction that did what was asked.
create table request_answers (
    owner   text    not null,
    key     text    not null,
    asked   text    not null,      -- a digest of what was asked
    made_ms integer not null,
    status  integer not null,
    headers text    not null,      -- JSON
    body    text    not null,
    primary key (owner, key)
) without rowid;
create index request_answers_by_age on request_answers (owner, made_ms);

-- Dreams that somebody asked a server for.
create table dream_requests (
    owner    text    not null,
    id       text    not null,
    project  text,                 -- of the only sessions to read; null: all
    asked_ms integer not null,
    ended_ms integer,
    state    text    not null,     -- waiting, running, done, failed
    run      text,                 -- what it became, if it was one
    outcome  text,                 -- how that ended
    primary key (owner, id)
) without rowid;

-- What changed, in the order in which it did: who listens and was away goes on from where it was.
create table changes (
    no      integer primary key autoincrement,  -- never the same again, also if the last was removed
    owner   text    not null,
    tx      integer not null default 0,
    project text,                               -- null: of none in particular
    kind    text    not null,                   -- event, session, run
    name    text    not null,                   -- its id
    detail  text    not null                    -- the type of an event, the status of all else
);
create index changes_of_owner on changes (owner, tx, no);

-- Only what nobody can commit anything before any more; with one writer at a time, that is everything.
create view settled_changes as select owner, tx, no, project, kind, name, detail from changes;

-- The newest event of each project that was told; what is folded again, or came late, is not news.
create table told_events (
    owner   text not null,
    project text not null,
    id      text not null,
    primary key (owner, project)
) without rowid;
insert into told_events (owner, project, id) select owner, project, max(id) from events group by owner, project;

create trigger tell_event after insert on events
when new.bookkeeping = 0
  and new.id > coalesce((select id from told_events where owner = new.owner and project = new.project), '')
begin
    insert into changes (owner, project, kind, name, detail) values (new.owner, new.project, 'event', new.id, new.type);
    insert into told_events (owner, project, id) values (new.owner, new.project, new.id)
    on conflict (owner, project) do update set id = excluded.id;
end;

create trigger tell_session after insert on sessions
begin
    insert into changes (owner, project, kind, name, detail)
    values (new.owner, new.project, 'session', new.id, new.status);
end;

create trigger tell_session_status after update of status on sessions when old.status <> new.status
begin
    insert into changes (owner, project, kind, name, detail)
    values (new.owner, new.project, 'session', new.id, new.status);
end;

create trigger tell_run after insert on dream_runs
begin
    insert into changes (owner, kind, name, detail) values (new.owner, 'run', new.id, new.status);
end;

create trigger tell_run_status after update of status on dream_runs when old.status <> new.status
begin
    insert into changes (owner, kind, name, detail) values (new.owner, 'run', new.id, new.status);
end;

-- What is forgotten must not stay in what was answered.
create trigger forget_answers after insert on tombstones
begin
    delete from request_answers where owner = new.owner;
end;
