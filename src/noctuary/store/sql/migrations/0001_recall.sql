-- Sessions, messages and their full-text index; where importing stopped; what must stay forgotten.

create table sessions (
    no            integer primary key,
    owner         text    not null,
    id            text    not null,
    agent         text,
    project       text,
    title         text,
    title_source  text,
    cwd           text,
    branch        text,
    model         text,
    parent        text,
    relation      text,
    source        text,
    source_path   text,
    started_ms    integer,
    last_ms       integer,
    ended_ms      integer,
    status        text    not null default 'active',
    message_count integer not null default 0,  -- messages of the conversation: those not hidden
    last_id       integer not null default 0,  -- the highest id ever given, so that no id is given twice
    preview       text,                        -- how the first thing a human said begins
    unique (owner, id)
);
create index sessions_by_activity on sessions (owner, last_ms desc);
create index sessions_by_project on sessions (owner, project);

-- The key says where a message stands, who speaks and how long it is: see store/keys.py.
create table messages (
    key         integer primary key,
    role        text    not null,
    kind        text    not null,
    ts_ms       integer not null,
    hidden      text,
    tool_name   text,
    call_id     text,
    source_line integer,
    uid         integer,             -- 63 bits of a hash of what identifies the entry in its transcript
    tool_calls  text,
    content     text    not null
);
create index messages_by_uid on messages (uid) where uid is not null;

-- Found by their words; the text itself is read from `messages`, so it is not stored twice.
create virtual table message_index using fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into message_index (message_index, rank) values ('hashsize', 33554432);  -- fewer, larger segments while importing

-- What the index holds, a row an owner: how rare a word is depends on how much there is.
create table totals (
    owner      text    primary key,
    messages   integer not null,
    characters integer not null
) without rowid;

-- How far each transcript has been read.
create table places (
    owner       text    not null,
    path        text    not null,
    size        integer not null,
    mtime_ns    integer not null,
    byte_offset integer not null,
    line        integer not null,
    fingerprint text    not null,    -- of the bytes before the offset: tells growing from rewriting
    state       text    not null,
    error       text,                -- why reading stopped before the end, if it did
    primary key (owner, path)
) without rowid;

-- What was forgotten and must not come back with the next import.  Texts are kept only as hashes.
create table tombstones (
    owner   text    not null,
    kind    text    not null,        -- session, project, message, text
    key     text    not null,
    made_ms integer not null,
    primary key (owner, kind, key)
) without rowid;
