-- What a server keeps of requests: answers by idempotency key, dreams that were asked for, and what changed.

-- What was answered to a request that its sender may repeat; written in the transaction that did what was asked.
create table request_answers (
    owner   plain  not null,
    key     plain  not null,
    asked   plain  not null,      -- a digest of what was asked
    made_ms bigint not null,
    status  bigint not null,
    headers text   not null,      -- JSON
    body    text   not null,
    primary key (owner, key)
);
create index request_answers_by_age on request_answers (owner, made_ms);
select noctuary_guard('request_answers');

-- Dreams that somebody asked a server for.
create table dream_requests (
    owner    plain  not null,
    id       plain  not null,
    project  plain,               -- of the only sessions to read; null: all
    asked_ms bigint not null,
    ended_ms bigint,
    state    plain  not null,     -- waiting, running, done, failed
    run      plain,               -- what it became, if it was one
    outcome  plain,               -- how that ended
    primary key (owner, id)
);
select noctuary_guard('dream_requests');

-- What changed.  Numbers are given before a transaction ends, so they are in no order that a reader could rely on; but
-- what has the number of a transaction that is over before all that still run is all there ever will be below it.
create table changes (
    no      bigint generated always as identity,
    owner   plain  not null,
    tx      bigint not null default pg_current_xact_id()::text::bigint,
    project plain,                -- null: of none in particular
    kind    plain  not null,      -- event, session, run
    name    plain  not null,      -- its id
    detail  plain  not null,      -- the type of an event, the status of all else
    primary key (owner, tx, no)
);
select noctuary_guard('changes');

-- Only what nobody can commit anything before any more.
create view settled_changes with (security_invoker = true) as
select owner, tx, no, project, kind, name, detail from changes
where tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
grant select on settled_changes to noctuary_member;

-- The newest event of each project that was told; what is folded again, or came late, is not news.
create table told_events (
    owner   plain not null,
    project plain not null,
    id      plain not null,
    primary key (owner, project)
);
alter table events no force row level security;  -- or whoever makes the tables would see nobody's
insert into told_events (owner, project, id) select owner, project, max(id) from events group by owner, project;
alter table events force row level security;
select noctuary_guard('told_events');

create function tell_event() returns trigger language plpgsql as $$
begin
    if new.id <= coalesce((select id from told_events where owner = new.owner and project = new.project), '') then
        return null;
    end if;
    insert into changes (owner, project, kind, name, detail)
    values (new.owner, new.project, 'event', new.id, new.type);
    insert into told_events (owner, project, id) values (new.owner, new.project, new.id)
    on conflict (owner, project) do update set id = excluded.id;
    return null;
end $$;
create trigger tell_event after insert on events for each row when (new.bookkeeping = 0)
execute function tell_event();

create function tell_session() returns trigger language plpgsql as $$
begin
    insert into changes (owner, project, kind, name, detail)
    values (new.owner, new.project, 'session', new.id, new.status);
    return null;
end $$;
create trigger tell_session after insert on sessions for each row execute function tell_session();
create trigger tell_session_status after update of status on sessions for each row
when (old.status is distinct from new.status) execute function tell_session();

create function tell_run() returns trigger language plpgsql as $$
begin
    insert into changes (owner, kind, name, detail) values (new.owner, 'run', new.id, new.status);
    return null;
end $$;
create trigger tell_run after insert on dream_runs for each row execute function tell_run();
create trigger tell_run_status after update of status on dream_runs for each row
when (old.status is distinct from new.status) execute function tell_run();

-- What is forgotten must not stay in what was answered.
create function forget_answers() returns trigger language plpgsql as $$
begin
    delete from request_answers where owner = new.owner;
    return null;
end $$;
create trigger forget_answers after insert on tombstones for each row execute function forget_answers();
