-- What owners share: the only tables whose rows others than their owner may read, and only as a team's project lets them.
-- See sql/migrations/0010_sharing.sql for what the tables are.

create table teams (
    owner   plain  not null,
    id      plain  not null,
    name    plain  not null,
    made_ms bigint not null,
    primary key (owner, id)
);
create unique index teams_by_id on teams (id);

create table team_members (
    owner      plain  not null,
    team       plain  not null,
    role       plain  not null check (role in ('reviewer', 'member', 'left')),
    invited_by plain  not null,
    since_ms   bigint not null,
    primary key (owner, team)
);
create index team_members_by_team on team_members (team, owner);

create table shares (
    owner       plain  not null,
    id          plain  not null,
    team        plain  not null,
    memory      plain  not null,
    edition     bigint not null,
    kind        plain  not null,
    text        plain  not null,
    topic       plain  not null,
    facts       plain  not null,
    proposed_ms bigint not null,
    primary key (owner, id)
);
create unique index shares_by_memory on shares (owner, team, memory, edition);
create index shares_by_team on shares (team, owner);

create table share_reviews (
    owner       plain  not null,
    publisher   plain  not null,
    share       plain  not null,
    team        plain  not null,
    verdict     plain  not null check (verdict in ('accepted', 'refused')),
    wording     plain  not null,
    reason      plain  not null,
    reviewed_ms bigint not null,
    primary key (owner, publisher, share)
);
create unique index share_reviews_by_share on share_reviews (publisher, share);
create index share_reviews_by_team on share_reviews (team);

create table share_history (
    owner     plain  not null,
    id        plain  not null,
    team      plain  not null,
    at_ms     bigint not null,
    what      plain  not null,
    about     plain  not null,
    publisher plain  not null,
    is_open   bigint not null,
    primary key (owner, id)
);
create index share_history_by_team on share_history (team, id);

create table share_bindings (
    owner    plain  not null,
    project  plain  not null,
    team     plain  not null,
    bound_ms bigint not null,
    primary key (owner, project, team)
);
select noctuary_guard('share_bindings');

-- The teams that the asking owner is in, or reviews in.  This is asked by the policy of the very table that it reads, so
-- while it looks that policy lets through one's own rows alone; all that can be done with the setting is to see less.
create function noctuary_teams(is_reviewed boolean) returns setof text stable language plpgsql as $$
begin
    perform set_config('noctuary.looking', 'yes', true);
    return query select m.team::text from noctuary.team_members m
        where m.owner = noctuary.noctuary_owner() and (m.role = 'reviewer' or (m.role = 'member' and not is_reviewed));
    perform set_config('noctuary.looking', '', true);
end $$;

do $$
declare
    name text;
begin
    foreach name in array array['teams', 'team_members', 'shares', 'share_reviews', 'share_history'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format('grant select, insert, update, delete on %I to noctuary_member', name);
    end loop;
end $$;

-- A team is made by whoever wants one, and known to its members.
create policy to_see on teams for select using (owner = (select noctuary_owner()) or id in (select noctuary_teams(false)));
create policy to_make on teams for insert with check (owner = (select noctuary_owner()));

-- Members know each other.  Reviewers invite, remove and make reviewers; others may leave.  Whoever made a team is
-- its first member; as rows stay, they can be so only once.
create policy to_see on team_members for select using (
    case when owner = noctuary_owner() then true
         when current_setting('noctuary.looking', true) = 'yes' then false
         else team in (select noctuary_teams(false)) end);
create policy to_begin on team_members for insert with check (
    owner = (select noctuary_owner()) and role = 'reviewer'
    and exists (select 1 from teams t where t.id = team and t.owner = (select noctuary_owner())));
create policy to_invite on team_members for insert with check (team in (select noctuary_teams(true)));
create policy to_leave on team_members for update
    using (owner = (select noctuary_owner())) with check (owner = (select noctuary_owner()) and role = 'left');
create policy to_decide on team_members for update
    using (team in (select noctuary_teams(true))) with check (team in (select noctuary_teams(true)));

-- Shares: a publisher alone writes and removes them, and only while a member proposes them.
create policy to_see on shares for select using (
    owner = (select noctuary_owner())
    or team in (select noctuary_teams(true))
    or (team in (select noctuary_teams(false)) and exists (
        select 1 from share_reviews r
        where r.publisher = shares.owner and r.share = shares.id and r.verdict = 'accepted')));
create policy to_propose on shares for insert
    with check (owner = (select noctuary_owner()) and team in (select noctuary_teams(false)));
create policy to_take_back on shares for delete using (owner = (select noctuary_owner()));

-- Reviews: by a reviewer in their own name, of what is there, and of what is their own only if nobody else could.
create policy to_see on share_reviews for select using (
    publisher = (select noctuary_owner())
    or team in (select noctuary_teams(true)) or (verdict = 'accepted' and team in (select noctuary_teams(false))));
create function noctuary_may_review(by_whom text, wanted text, asked text) returns boolean stable language sql
return wanted in (select noctuary_teams(true))
    and exists (select 1 from shares s where s.owner = by_whom and s.id = asked and s.team = wanted)
    and (by_whom <> noctuary_owner() or not exists (
        select 1 from team_members m
        where m.team = wanted and m.role = 'reviewer' and m.owner <> noctuary_owner()));
create policy to_review on share_reviews for insert
    with check (owner = (select noctuary_owner()) and noctuary_may_review(publisher, team, share));
create policy to_review_again on share_reviews for update
    using (team in (select noctuary_teams(true)))
    with check (owner = (select noctuary_owner()) and noctuary_may_review(publisher, team, share));
create policy to_take_back on share_reviews for delete using (publisher = (select noctuary_owner()));

-- The history is written in one's own name by whoever is or was a member, and never changed.
create policy to_see on share_history for select using (
    owner = (select noctuary_owner()) or publisher = (select noctuary_owner())
    or team in (select noctuary_teams(true)) or (is_open = 1 and team in (select noctuary_teams(false))));
create policy to_write on share_history for insert
    with check (owner = (select noctuary_owner()) and exists (
        select 1 from team_members m where m.owner = (select noctuary_owner()) and m.team = share_history.team));
