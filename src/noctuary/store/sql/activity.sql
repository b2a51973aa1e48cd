-- How much was said when, and where.  Days are counted from 1970, in UTC.

-- name: days_of_sessions
-- Messages of sessions that began and ended on one day, which are most.
select last_ms / 86400000, sum(message_count) from sessions
where owner = :owner and message_count > 0 and last_ms >= :after_ms
  and (:project is null or project = :project)
  and coalesce(started_ms, 0) / 86400000 = last_ms / 86400000
group by 1;

-- name: days_of_messages
-- Messages of the other sessions, each on its own day.
select m.ts_ms / 86400000, count(*)
from sessions s join messages m on m.key between s.no * 4294967296 and s.no * 4294967296 + 4294967295
where s.owner = :owner and s.message_count > 0 and s.last_ms >= :after_ms
  and (:project is null or s.project = :project)
  and coalesce(s.started_ms, 0) / 86400000 <> s.last_ms / 86400000
  and m.hidden is null and m.ts_ms >= :after_ms
group by 1;

-- name: agents_heard
select distinct agent from sessions
where owner = :owner and agent is not null and message_count > 0 and (:project is null or project = :project)
order by agent;

-- name: projects_heard
select project, max(last_ms) from sessions
where owner = :owner and project is not null and message_count > 0 and (:project is null or project = :project)
group by project order by 2 desc limit :most;

-- name: amount_said
select count(*), coalesce(sum(message_count), 0) from sessions
where owner = :owner and message_count > 0 and (:project is null or project = :project);
