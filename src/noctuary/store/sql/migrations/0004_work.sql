-- What the journal says, folded: events, the graph of the work, sessions of work and memories.  All of it can be made
-- again from the journal, but for `leases`, which is nobody's statement: who is still alive.

-- How far each journal has been folded.
create table journals (
    owner   text    not null,
    project text    not null,
    place   integer not null,      -- the byte behind the last line read
    number  integer not null,
    digest  text    not null,
    last_id text    not null,
    start   integer not null,
    primary key (owner, project)
) without rowid;

create table events (
    no            integer primary key,
    owner         text    not null,
    project       text    not null,
    id            text    not null,
    node          text,
    type          text    not null,      -- of a correction that of what it corrects
    ts_ms         integer not null,
    author        text    not null,
    status        text    not null,
    session       text,
    bookkeeping   integer not null,
    hidden_by     text,                  -- the event that corrected or retracted it
    superseded_by text,
    body          text    not null,      -- the line of the journal
    unique (owner, id)
);
create index events_by_node on events (node, owner, ts_ms) where node is not null;
create index events_by_session on events (session, owner) where session is not null;
create index events_by_time on events (owner, ts_ms);
create index events_by_successor on events (superseded_by) where superseded_by is not null;

create virtual table event_index using fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into event_index (event_index, rank) values ('hashsize', 33554432);  -- fewer, larger segments at a rebuild

create table nodes (
    no             integer primary key,
    owner          text    not null,
    project        text    not null,
    id             text    not null,
    type           text    not null,
    title          text    not null,
    status         text    not null,
    description    text    not null,
    priority       text,
    rank           integer not null,     -- of the priority: 0 is the first
    assigned_to    text,
    created_by     text,
    labels         text    not null,     -- JSON
    parent         text,
    goal           text,
    outcome        text,
    outcome_tag    text,
    external       text    not null,     -- JSON
    blocked_reason text,
    created_ms     integer not null,
    started_ms     integer,
    completed_ms   integer,
    last_ms        integer not null,
    lease_ms       integer,
    metadata       text    not null,     -- JSON
    unique (owner, id)
);
create index nodes_by_parent on nodes (owner, parent) where parent is not null;
create index nodes_by_status on nodes (owner, type, status, project);

create virtual table node_index using fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

create table edges (
    owner      text    not null,
    type       text    not null,
    from_id    text    not null,
    to_id      text    not null,
    id         text    not null,
    project    text    not null,
    label      text,
    created_ms integer not null,
    primary key (owner, type, from_id, to_id)
) without rowid;
create index edges_by_start on edges (from_id, owner, type);
create index edges_by_end on edges (to_id, owner, type);

create table work_sessions (
    owner      text    not null,
    project    text    not null,
    id         text    not null,
    goal       text    not null,
    started_ms integer not null,
    ended_ms   integer,
    notes      text,
    agents     text    not null,         -- JSON
    summary    text,
    primary key (owner, id)
) without rowid;
create index work_sessions_by_goal on work_sessions (owner, goal, started_ms);

create table memories (
    owner         text    not null,
    id            text    not null,
    project       text    not null,      -- empty: of all projects
    kind          text    not null,
    text          text    not null,
    status        text    not null,
    recorded_ms   integer not null,
    retired_ms    integer,
    superseded_by text,
    event         text    not null,      -- the event that says it, with what it rests on
    body          text    not null,      -- JSON: topic, validity, support, pinned, trust
    primary key (owner, id)
) without rowid;

-- Until when a claim holds that its agent has renewed since.  Not derived.
create table leases (
    owner    text    not null,
    node     text    not null,
    agent    text    not null,
    until_ms integer not null,
    primary key (owner, node)
) without rowid;
