-- Keys of the API: their digests only, so that whoever reads this table cannot come in with it.
create table api_keys (
    owner       text    not null,
    id          text    not null,
    name        text    not null,
    digest      blob    not null,
    project     text,             -- the only one that the key is for; null is all of the owner's
    scopes      text    not null, -- words with spaces between them
    made_ms     integer not null,
    expires_ms  integer,
    revoked_ms  integer,
    used_ms     integer,          -- to the minute
    replaced_by text,             -- the id of the key that it was rotated to
    primary key (owner, id)
) without rowid;

-- A key names its id only; whose it is, is what one wants to know.
create unique index api_key_by_id on api_keys (id);

-- What was asked of the server, by which key, and how it ended: never what was said.
create table audit_log (
    owner  text    not null, -- '' is nobody who was known
    id     text    not null, -- sorts like the time
    at_ms  integer not null,
    key_id text    not null, -- '' is the token of a server on this machine, or nobody
    verb   text    not null,
    path   text    not null, -- with names in the place of values, as /sessions/{id}
    status integer not null,
    primary key (owner, id)
) without rowid;
