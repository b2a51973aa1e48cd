-- Queries of what a server remembers of requests: answers by idempotency key, dreams that were asked for, the stream of
-- changes; and lists that are read in parts.

-- name: find_request_answer
select asked, status, headers, body from request_answers
where owner = :owner and key = :key and made_ms >= :since_ms;

-- name: save_request_answer
insert into request_answers (owner, key, asked, made_ms, status, headers, body)
values (:owner, :key, :asked, :made_ms, :status, :headers, :body)
on conflict (owner, key) do update set asked = excluded.asked, made_ms = excluded.made_ms,
    status = excluded.status, headers = excluded.headers, body = excluded.body;

-- name: remove_request_answers
delete from request_answers where owner = :owner and made_ms < :before_ms;

-- name: save_dream_request
insert into dream_requests (owner, id, project, asked_ms, ended_ms, state, run, outcome)
values (:owner, :id, :project, :asked_ms, :ended_ms, :state, :run, :outcome)
on conflict (owner, id) do update set ended_ms = excluded.ended_ms, state = excluded.state, run = excluded.run,
    outcome = excluded.outcome;

-- name: find_dream_request
select id, project, asked_ms, ended_ms, state, run, outcome from dream_requests where owner = :owner and id = :id;

-- name: remove_dream_requests
delete from dream_requests where owner = :owner and asked_ms < :before_ms;

-- name: changes_after
select tx, no, project, kind, name, detail from settled_changes
where owner = :owner and (tx, no) > (:tx, :no) and (:project is null or project = :project)
order by tx, no limit :most;

-- name: last_change
select tx, no from settled_changes where owner = :owner order by tx desc, no desc limit 1;

-- name: find_change
-- Only what was told: on a server that a dump was read into, transactions have lower numbers again than in it.
select 1 from settled_changes where owner = :owner and tx = :tx and no = :no;

-- name: oldest_kept_change
select tx, no from settled_changes where owner = :owner order by tx desc, no desc limit 1 offset :kept;

-- name: remove_changes
delete from changes where owner = :owner and (tx, no) <= (:tx, :no);

-- name: listed_sessions
-- The last active first; from behind one of them on.
select no, owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
       source_path, started_ms, last_ms, ended_ms, status, message_count, preview
from sessions
where owner = :owner and (:agent is null or agent = :agent) and (:project is null or project = :project)
  and (:status is null or status = :status)
  and (:since_ms is null or last_ms >= :since_ms) and (:until_ms is null or started_ms < :until_ms)
  and (:last_ms is null or (coalesce(last_ms, 0), id) < (:last_ms, :id))
order by coalesce(last_ms, 0) desc, id desc limit :most;

-- name: listed_events
-- The last written first; from behind one of them on.
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and bookkeeping = 0 and (:project is null or project = :project)
  and (:node is null or node = :node) and (:type is null or type = :type) and (:status is null or status = :status)
  and (:hidden = 1 or (hidden_by is null and status <> 'retracted')) and (:before is null or id < :before)
order by id desc limit :most;

-- name: listed_runs
-- The last first; from behind one of them on.  One whose report was lost has nothing to be listed by.
select id, status, "trigger", started_ms, finished_ms, report from dream_runs
where owner = :owner and report is not null and (:before is null or id < :before) order by id desc limit :most;
