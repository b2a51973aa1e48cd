-- What owners share: the only tables whose rows others than their owner may read, and only as a team's project lets them.
-- On PostgreSQL policies say who; here every query does, and one file is one machine's.

create table teams (
    owner   text    not null, -- who made it
    id      text    not null,
    name    text    not null,
    made_ms integer not null,
    primary key (owner, id)
) without rowid;

create unique index teams_by_id on teams (id);

-- A row stays when its member leaves, so that nobody comes back by adding it again.
create table team_members (
    owner      text    not null, -- the member
    team       text    not null,
    role       text    not null check (role in ('reviewer', 'member', 'left')),
    invited_by text    not null,
    since_ms   integer not null, -- of the role
    primary key (owner, team)
) without rowid;

create index team_members_by_team on team_members (team, owner);

-- A copy of a memory, as others may see it: written and removed by its publisher alone.
create table shares (
    owner       text    not null, -- the publisher
    id          text    not null,
    team        text    not null,
    memory      text    not null,
    edition     integer not null, -- of the same memory: a later one takes the place of those before once it is accepted
    kind        text    not null,
    text        text    not null,
    topic       text    not null,
    facts       text    not null, -- JSON: event, who said it, trust, when it holds, what it cites
    proposed_ms integer not null,
    primary key (owner, id)
) without rowid;

create unique index shares_by_memory on shares (owner, team, memory, edition);
create index shares_by_team on shares (team, owner);

-- What a reviewer made of it; who takes a share back removes this, too, for it may say the same in other words.
create table share_reviews (
    owner       text    not null, -- the reviewer
    publisher   text    not null,
    share       text    not null,
    team        text    not null,
    verdict     text    not null check (verdict in ('accepted', 'refused')),
    wording     text    not null, -- empty: in the publisher's words
    reason      text    not null,
    reviewed_ms integer not null,
    primary key (owner, publisher, share)
) without rowid;

create unique index share_reviews_by_share on share_reviews (publisher, share);
create index share_reviews_by_team on share_reviews (team);

-- What was done, never what was said.
create table share_history (
    owner     text    not null, -- who did it
    id        text    not null, -- sorts like the time
    team      text    not null,
    at_ms     integer not null,
    what      text    not null,
    about     text    not null, -- a share or a member; empty: the team
    publisher text    not null, -- of the share, else empty
    is_open   integer not null, -- 1: all members may know; 0: reviewers and the publisher
    primary key (owner, id)
) without rowid;

create index share_history_by_team on share_history (team, id);

-- Which projects of an owner are told what a team shares.
create table share_bindings (
    owner    text    not null,
    project  text    not null,
    team     text    not null,
    bound_ms integer not null,
    primary key (owner, project, team)
) without rowid;
