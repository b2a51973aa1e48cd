-- Keys of the API: their digests only, so that whoever reads this table cannot come in with it.
create table api_keys (
    owner       plain  not null,
    id          plain  not null,
    name        plain  not null,
    digest      bytea  not null,
    project     plain,           -- the only one that the key is for; null is all of the owner's
    scopes      plain  not null, -- words with spaces between them
    made_ms     bigint not null,
    expires_ms  bigint,
    revoked_ms  bigint,
    used_ms     bigint,          -- to the minute
    replaced_by plain,           -- the id of the key that it was rotated to
    primary key (owner, id)
);
create unique index api_key_by_id on api_keys (id);
select noctuary_guard('api_keys');
alter table api_keys no force row level security;

-- The one way past the owners: a key names its id only, and whose it is, is what one wants to know.
create function noctuary_key(wanted text) returns setof api_keys
stable security definer language sql set search_path = noctuary, pg_temp as $$
    select * from api_keys where id = wanted
$$;

-- What was asked of the server, by which key, and how it ended: never what was said.
create table audit_log (
    owner  plain  not null, -- '' is nobody who was known
    id     plain  not null, -- sorts like the time
    at_ms  bigint not null,
    key_id plain  not null, -- '' is the token of a server on this machine, or nobody
    verb   plain  not null,
    path   plain  not null, -- with names in the place of values, as /sessions/{id}
    status bigint not null,
    primary key (owner, id)
);
select noctuary_guard('audit_log');
