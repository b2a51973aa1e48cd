-- Queries of what is shared with a team: `owner` is always who asks, and sees no more than the team lets them.

-- name: add_team
insert into teams (owner, id, name, made_ms) values (:owner, :id, :name, :now_ms);

-- name: teams_of
select t.id, t.name, t.owner, t.made_ms, m.role
from team_members m join teams t on t.id = m.team
where m.owner = :owner and m.role <> 'left'
order by t.name, t.id;

-- name: add_member
-- The first of a team, who made it: there is nobody yet who could invite.
insert into team_members (owner, team, role, invited_by, since_ms)
values (:owner, :team, 'reviewer', :owner, :now_ms);

-- name: set_member
insert into team_members (owner, team, role, invited_by, since_ms)
values (:member, :team, :role, :owner, :now_ms)
on conflict (owner, team) do update set role = excluded.role, since_ms = excluded.since_ms,
    invited_by = excluded.invited_by
returning role;

-- name: end_membership
update team_members set role = 'left', since_ms = :now_ms
where owner = :member and team = :team and role <> 'left'
returning role;

-- name: members_of
select m.owner, m.role, m.invited_by, m.since_ms
from team_members m
where m.team = :team and m.role <> 'left'
  and exists (select 1 from team_members i where i.owner = :owner and i.team = :team and i.role <> 'left')
order by m.owner;

-- name: next_edition
select coalesce(max(edition), 0) + 1 from shares where owner = :owner and team = :team and memory = :memory;

-- name: add_share
insert into shares (owner, id, team, memory, edition, kind, text, topic, facts, proposed_ms)
values (:owner, :id, :team, :memory, :edition, :kind, :text, :topic, :facts, :now_ms);

-- name: shares_seen
-- One's own; as a member what was accepted; as a reviewer all that waits and what became of it.  Of the same memory
-- what was accepted last stands for all that was before.
-- Later editions are counted: of `not exists` a server that knows nothing of the tables yet makes a join of all with all.
select s.owner, s.id, s.team, coalesce(t.name, s.team), s.memory, s.kind, s.text, s.topic, s.facts, s.proposed_ms,
       r.verdict, r.wording, r.reason, r.owner, r.reviewed_ms
from shares s
left join teams t on t.id = s.team
left join share_reviews r on r.publisher = s.owner and r.share = s.id
left join team_members i on i.owner = :owner and i.team = s.team and i.role <> 'left'
where (s.owner = :owner or i.role = 'reviewer' or (i.role = 'member' and r.verdict = 'accepted'))
  and (:id is null or s.id = :id)
  and (:team is null or s.team = :team)
  and (:publisher is null or s.owner = :publisher)
  and (:state is null or coalesce(r.verdict, 'proposed') = :state)
  and (:state is null or s.owner = :publisher or i.role is not null)
  and (select count(*) from shares n join share_reviews a on a.publisher = n.owner and a.share = n.id
       where n.owner = s.owner and n.team = s.team and n.memory = s.memory and n.edition > s.edition
         and a.verdict = 'accepted') = 0
order by s.proposed_ms, s.id
limit :most;

-- name: shares_of_memory
-- The publisher's own, also those that others stand for.
select id, team, edition from shares where owner = :owner and memory = :memory and team = :team;

-- name: shares_of_owner
select id, team, memory, kind, text, topic, facts from shares where owner = :owner and (:team is null or team = :team);

-- name: shares_without_memory
-- Those of which the memory holds no longer, or is gone.
select s.team, s.memory from shares s
left join memories m on m.owner = s.owner and m.id = s.memory
where s.owner = :owner and (m.id is null or m.status <> 'active');

-- name: is_share_due
-- Whether there is any of these, or one that the next query finds: asked after every change of a memory.
select 1 from shares s
left join memories m on m.owner = s.owner and m.id = s.memory
where s.owner = :owner
  and (m.id is null or m.status <> 'active' or exists (
      select 1 from shares n join share_reviews a on a.publisher = n.owner and a.share = n.id
      where n.owner = s.owner and n.team = s.team and n.memory = s.memory and n.edition > s.edition
        and a.verdict = 'accepted'))
limit 1;

-- name: shares_replaced
-- Those for which a later edition stands that was accepted.
select s.team, s.id from shares s
where s.owner = :owner and exists (
    select 1 from shares n join share_reviews a on a.publisher = n.owner and a.share = n.id
    where n.owner = s.owner and n.team = s.team and n.memory = s.memory and n.edition > s.edition
      and a.verdict = 'accepted');

-- name: remove_share
delete from shares where owner = :owner and id = :id returning id;

-- name: remove_reviews
delete from share_reviews where publisher = :owner and share = :id returning verdict;

-- name: add_review
insert into share_reviews (owner, publisher, share, team, verdict, wording, reason, reviewed_ms)
values (:owner, :publisher, :share, :team, :verdict, :wording, :reason, :now_ms)
on conflict (publisher, share) do update set owner = excluded.owner, verdict = excluded.verdict,
    wording = excluded.wording, reason = excluded.reason, reviewed_ms = excluded.reviewed_ms
returning share;

-- name: add_history
insert into share_history (owner, id, team, at_ms, what, about, publisher, is_open)
values (:owner, :id, :team, :now_ms, :what, :about, :publisher, :is_open);

-- name: last_history
select id from share_history where owner = :owner order by id desc limit 1;

-- name: history_seen
select h.id, h.team, h.at_ms, h.owner, h.what, h.about, h.publisher
from share_history h
left join team_members i on i.owner = :owner and i.team = h.team and i.role <> 'left'
where h.team = :team and (:before is null or h.id < :before)
  and (h.owner = :owner or h.publisher = :owner or i.role = 'reviewer' or (i.role = 'member' and h.is_open = 1))
order by h.id desc limit :most;

-- name: bind_project
insert into share_bindings (owner, project, team, bound_ms) values (:owner, :project, :team, :now_ms)
on conflict (owner, project, team) do nothing;

-- name: unbind_project
delete from share_bindings where owner = :owner and project = :project and team = :team returning team;

-- name: bindings_of
-- Only of teams that the owner is still in.
select b.project, b.team, t.name
from share_bindings b
join team_members i on i.owner = b.owner and i.team = b.team and i.role <> 'left'
join teams t on t.id = b.team
where b.owner = :owner and (:project is null or b.project = :project)
order by b.project, t.name, b.team;

-- name: shares_told
-- What a session in a bound project is told: what was accepted, the newest first, never one's own.
select s.owner, s.id, s.team, t.name, s.memory, s.kind, s.text, s.topic, s.facts, s.proposed_ms,
       r.verdict, r.wording, r.reason, r.owner, r.reviewed_ms
from share_bindings b
join team_members i on i.owner = b.owner and i.team = b.team and i.role <> 'left'
join teams t on t.id = b.team
join shares s on s.team = b.team and s.owner <> b.owner
join share_reviews r on r.publisher = s.owner and r.share = s.id and r.verdict = 'accepted'
where b.owner = :owner and b.project = :project
  and (select count(*) from shares n join share_reviews a on a.publisher = n.owner and a.share = n.id
       where n.owner = s.owner and n.team = s.team and n.memory = s.memory and n.edition > s.edition
         and a.verdict = 'accepted') = 0
order by r.reviewed_ms desc, s.id
limit :most;
