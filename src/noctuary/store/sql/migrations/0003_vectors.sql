-- What messages mean, as vectors of embedding models: see store/vectors.py.

create table embedders (
    no        integer primary key autoincrement,  -- never given twice, or a slow writer could mix two models
    name      text    not null unique,  -- of the weights, with a digest of them: vectors of two names never mix
    source    text    not null,         -- how it is opened again: a folder, a package, an endpoint
    dimension integer not null,
    state     text    not null,         -- serving: searched with; wanted: being filled, and served when it is full
    changes   integer not null default 0  -- counts up with every change of its vectors, so that a copy knows its age
);

-- A row a session, so that sessions are filtered, extended and forgotten as one.
create table vectors (
    embedder integer not null,
    session  integer not null,
    upto     integer not null,          -- messages up to this id have their vectors
    lows     blob    not null,          -- uint32 each: the low half of the message's key
    scales   blob    not null,          -- float32 each: what a step of a code is worth
    codes    blob    not null,          -- int8, `dimension` of them each
    primary key (embedder, session)
);
