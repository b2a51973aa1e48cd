-- Dreams: which sessions are completed and what became of them, runs and their reports, what models cost, what was
-- last written to MEMORY.md.  None of it is derived, but what was dreamt can be healed from the journal.

create table dream_sessions (
    owner           text    not null,
    session         text    not null,
    epoch           integer not null,
    status          text    not null,
    "trigger"       text    not null,
    first_id        integer not null,
    last_id         integer not null,
    recorded_ms     integer not null,
    attempts        integer not null default 0,
    next_attempt_ms integer not null default 0,
    last_attempt_ms integer,
    completed_ms    integer,
    lease_owner     text,
    lease_ms        integer,
    run             text,
    artifacts       text    not null default '[]',  -- JSON
    failure         text,
    held            integer not null default 0,
    primary key (owner, session, epoch)
) without rowid;
create index dream_sessions_waiting on dream_sessions (owner, status, recorded_ms) where status <> 'completed';
create index dream_sessions_by_run on dream_sessions (owner, run) where run is not null;

create table dream_runs (
    owner       text    not null,
    id          text    not null,               -- a ULID: later runs have greater ones
    status      text    not null,
    "trigger"   text    not null,
    started_ms  integer not null,
    finished_ms integer,
    report      text,                           -- JSON
    primary key (owner, id)
) without rowid;
create index dream_runs_by_start on dream_runs (owner, started_ms);
create index dream_runs_being_undone on dream_runs (status) where status = 'undoing';

create table dream_state (
    owner           text    primary key,
    last_success_ms integer not null default 0,
    last_hygiene_ms integer not null default 0,
    follow_up       integer not null default 0  -- somebody wanted a run while one was running
) without rowid;

create table dream_spending (
    owner      text    not null,
    day        text    not null,                -- 2026-02-26, in UTC
    calls      integer not null,
    tokens_in  integer not null,
    tokens_out integer not null,
    dollars    real    not null,
    primary key (owner, day)
) without rowid;

-- What a model answered about part of a session that is not completed yet: it is not asked again.
create table dream_answers (
    owner   text    not null,
    session text    not null,
    key     text    not null,
    answer  text    not null,
    primary key (owner, session, key)
) without rowid;

-- The last generations of what was written to MEMORY.md, so that edits by hand are seen; body is null while the page
-- of a project is still to be written.
create table memory_pages (
    owner      text    not null,
    project    text    not null,
    digest     text    not null,
    body       text,
    written_ms integer not null,
    primary key (owner, project, digest)
) without rowid;

-- Sessions that a dream has to know: those that nobody closed, and those that ended with messages that no completion
-- covers.
alter table sessions add column covered_id integer not null default 0;
create index sessions_by_status on sessions (owner, status, last_ms) where status <> 'ended';
create index sessions_uncovered on sessions (owner, last_ms) where status = 'ended' and last_id > covered_id;

-- What the page of a project shows, without reading all memories.
alter table memories add column topic text not null default '';
alter table memories add column pinned integer not null default 0;
alter table memories add column weight real not null default 0;
alter table memories add column verified text not null default 'unknown';
update memories set topic = coalesce(json_extract(body, '$.topic'), ''),
                    pinned = coalesce(json_extract(body, '$.pinned'), 0),
                    weight = case json_extract(body, '$.trust') when 'user' then 6 else 0 end
                        + (recorded_ms - 1767225600000) / 15552000000.0;  -- see weighing.py
create index memories_by_weight on memories (owner, project, status, pinned desc, weight desc, id);
create index memories_by_topic on memories (owner, project, topic, status, pinned desc, weight desc, id);
create index memories_stale on memories (owner, project, weight desc, id) where verified = 'stale';
create index memories_verified on memories (project, owner) where verified = 'ok';
create index memories_by_event on memories (owner, event);

-- Which events a memory rests on.
create table memory_support (
    owner   text not null,
    event   text not null,
    memory  text not null,
    project text not null,
    primary key (owner, event, memory)
) without rowid;
create index memory_support_by_memory on memory_support (owner, memory);

create index events_retracted on events (owner, project, id) where status = 'retracted';
create index events_suggested on events (owner, project, id) where status = 'suggested';

-- What was said and taken back or said in other words: no search finds it, but a dream must not propose it again.
create virtual table hidden_event_index using fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into hidden_event_index (rowid, text)
select no, json_extract(body, '$.text') from events
where (hidden_by is not null or status = 'retracted') and bookkeeping = 0
  and coalesce(json_extract(body, '$.text'), '') <> '';
