-- Queries of dreams, for every database.

-- name: dream_records_of
select session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts, next_attempt_ms, last_attempt_ms,
       completed_ms, lease_owner, lease_ms, run, artifacts, failure, held
from dream_sessions where owner = :owner and session = :session order by epoch;

-- name: dream_records_waiting
-- What a dream could read, in the order in which the conversations ended; `at_ms` is now.  Nothing waits longer than
-- a day, so what lies further ahead was written before the clock was set back.
select d.session, d.epoch, d.status, d."trigger", d.first_id, d.last_id, d.recorded_ms, d.attempts, d.next_attempt_ms,
       d.last_attempt_ms, d.completed_ms, d.lease_owner, d.lease_ms, d.run, d.artifacts, d.failure, d.held
from dream_sessions d left join sessions s on s.owner = d.owner and s.id = d.session
where d.owner = :owner and (d.session, d.epoch) in (  -- or completed ones would be read, too
    select session, epoch from dream_sessions where owner = :owner and status <> 'completed')
  and (d.status <> 'running' or coalesce(d.lease_ms, 0) not between :at_ms + 1 and :at_ms + 86400000)
  and (:is_asked <> 0 or (d.held = 0 and d.next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000))
order by coalesce(s.last_ms, d.recorded_ms), d.session, d.epoch limit :most;

-- name: dream_records_where
select session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts, next_attempt_ms, last_attempt_ms,
       completed_ms, lease_owner, lease_ms, run, artifacts, failure, held
from dream_sessions
where owner = :owner and (:status is null or status = :status) order by session, epoch limit :most;

-- name: dream_records_of_run
select session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts, next_attempt_ms, last_attempt_ms,
       completed_ms, lease_owner, lease_ms, run, artifacts, failure, held
from dream_sessions
where owner = :owner and (:status is null or status = :status) and (session, epoch) in (
    select session, epoch from dream_sessions where owner = :owner and run = :run)
order by session, epoch limit :most;

-- name: dream_counts
-- Of what is not completed.
select status, held, count(*) from dream_sessions where owner = :owner and status <> 'completed' group by 1, 2;

-- name: sessions_waiting
-- How many sessions wait, how many of those for nothing but a run, and since when the first of these does.
select count(distinct session),
       count(distinct case when next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000 then session end),
       min(case when next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000 then recorded_ms end)
from dream_sessions
where owner = :owner and held = 0 and (session, epoch) in (
    select session, epoch from dream_sessions where owner = :owner and status <> 'completed')
  and (status <> 'running' or coalesce(lease_ms, 0) not between :at_ms + 1 and :at_ms + 86400000);

-- name: any_dream_record
select 1 from dream_sessions where owner = :owner limit 1;

-- name: save_dream_record
insert into dream_sessions (owner, session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts,
    next_attempt_ms, last_attempt_ms, completed_ms, lease_owner, lease_ms, run, artifacts, failure, held)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (owner, session, epoch) do update set
    status = excluded.status, "trigger" = excluded."trigger", first_id = excluded.first_id,
    last_id = excluded.last_id, recorded_ms = excluded.recorded_ms, attempts = excluded.attempts,
    next_attempt_ms = excluded.next_attempt_ms, last_attempt_ms = excluded.last_attempt_ms,
    completed_ms = excluded.completed_ms, lease_owner = excluded.lease_owner, lease_ms = excluded.lease_ms,
    run = excluded.run, artifacts = excluded.artifacts, failure = excluded.failure, held = excluded.held;

-- name: renew_dream_leases
update dream_sessions set lease_ms = :lease_ms
where owner = :owner and status = 'running' and lease_owner = :lease_owner and (session, epoch) in (
    select session, epoch from dream_sessions where owner = :owner and status <> 'completed');

-- name: end_dream_leases
update dream_sessions set lease_ms = 0
where owner = :owner and status = 'running' and (session, epoch) in (
    select session, epoch from dream_sessions where owner = :owner and status <> 'completed');

-- name: remove_dream_records
delete from dream_sessions where owner = :owner and (:session is null or session = :session);

-- name: remove_dream_record
delete from dream_sessions where owner = ? and session = ? and epoch = ?;

-- name: unrecorded_sessions
-- Ended, with messages that no completion covers; one that was resumed only when it is quiet again.
select id from sessions where owner = :owner and status = 'ended' and last_id > covered_id
  and (covered_id = 0 or last_ms < :before_ms)
order by last_ms, id limit :most;

-- name: sessions_to_complete
-- Of the sessions in which something was said that no completion covers: how many have ended or are idle, how many are
-- still open, and when something happened first in these.
select count(case when is_over then 1 end), count(case when not is_over then 1 end),
       min(case when not is_over then at_ms end)
from (select coalesce(last_ms, started_ms, 0) as at_ms,
             coalesce(last_ms, started_ms, 0) < :before_ms or (status = 'ended' and covered_id = 0) as is_over
      from sessions where owner = :owner and last_id > covered_id and status <> 'suspended') as uncovered;

-- name: cover_session
-- Never beyond its end: what comes later is new, whatever a completion says that was made on another machine.
update sessions set covered_id = min(:last_id, last_id) where owner = :owner and id = :session;

-- name: uncover_sessions
update sessions set covered_id = 0 where owner = :owner and covered_id > 0;

-- name: covered_sessions
select id, covered_id from sessions where owner = :owner and covered_id > 0 order by id;

-- name: end_idle_sessions
-- Exactly those that are still idle now.
update sessions set status = 'ended', ended_ms = :at_ms
where owner = :owner and status <> 'ended' and status = 'active' and coalesce(last_ms, started_ms, 0) < :before_ms
returning id;

-- name: any_idle_session
-- One that the query above would end.
select 1 from sessions
where owner = :owner and status <> 'ended' and status = 'active' and coalesce(last_ms, started_ms, 0) < :before_ms
limit 1;

-- name: set_session_status
update sessions set status = :status, ended_ms = :ended_ms where no = :no;

-- name: session_span
select no, status, last_id, covered_id from sessions where owner = :owner and id = :session;

-- name: dream_state
select last_success_ms, last_hygiene_ms, follow_up from dream_state where owner = :owner;

-- name: save_dream_state
insert into dream_state (owner, last_success_ms, last_hygiene_ms, follow_up)
values (:owner, :last_success_ms, :last_hygiene_ms, :follow_up)
on conflict (owner) do update set last_success_ms = excluded.last_success_ms,
    last_hygiene_ms = excluded.last_hygiene_ms, follow_up = excluded.follow_up;

-- name: save_dream_run
insert into dream_runs (owner, id, status, "trigger", started_ms, finished_ms, report)
values (:owner, :id, :status, :trigger, :started_ms, :finished_ms, :report)
on conflict (owner, id) do update set status = excluded.status, finished_ms = excluded.finished_ms,
    report = excluded.report;

-- name: dream_runs
select id, status, "trigger", started_ms, finished_ms, report from dream_runs
where owner = :owner order by id desc limit :most;

-- name: running_dream_runs
-- Those of the last few that are running; of the others no report is read.
select id, status, "trigger", started_ms, finished_ms, report from dream_runs
where owner = :owner and status = 'running' and id in (
    select id from dream_runs where owner = :owner order by id desc limit :most)
order by id desc;

-- name: newest_dream_run
select id from dream_runs where owner = :owner order by id desc limit 1;

-- name: is_any_dream_unfinished
-- Of runs, one of the last few or one that is being taken back; of sessions, one that is being read.
select 1 where exists (
    select 1 from dream_runs where owner = :owner and status = 'running' and id in (
        select id from dream_runs where owner = :owner order by id desc limit :most))
  or exists (select 1 from dream_sessions where owner = :owner and status = 'running')
  or exists (select 1 from dream_runs where +owner = :owner and status = 'undoing');

-- name: dream_runs_before
select id, status, "trigger", started_ms, finished_ms, report from dream_runs
where owner = :owner and (:before is null or id < :before) order by id desc limit :most;

-- name: find_dream_run
select id, status, "trigger", started_ms, finished_ms, report from dream_runs where owner = :owner and id = :id;

-- name: is_newest_running_dream
-- Of all owners' runs; it has the lock, as those that were killed before it have not.
select owner = :owner from dream_runs where status = 'running' order by id desc limit 1;

-- name: dream_runs_being_undone
-- By the index of just those; by the owner, every run would be read.
select id, status, "trigger", started_ms, finished_ms, report from dream_runs
where +owner = :owner and status = 'undoing' order by +id desc;

-- name: dream_runs_like
select id from dream_runs where owner = :owner and id like :prefix escape '\' order by id desc limit 11;

-- name: remove_dream_runs
-- The last one stays, however old it is.
delete from dream_runs where owner = :owner and started_ms < :before_ms
  and +id < (select max(id) from dream_runs where owner = :owner)
returning id;

-- name: remove_dream_run
delete from dream_runs where owner = ? and id = ?;

-- name: dream_spending
select calls, tokens_in, tokens_out, dollars from dream_spending where owner = :owner and day = :day;

-- name: dream_spending_since
select day, calls, tokens_in, tokens_out, dollars from dream_spending
where owner = :owner and day >= :day order by day;

-- name: add_dream_spending
insert into dream_spending (owner, day, calls, tokens_in, tokens_out, dollars)
values (:owner, :day, :calls, :tokens_in, :tokens_out, :dollars)
on conflict (owner, day) do update set
    calls = dream_spending.calls + excluded.calls, tokens_in = dream_spending.tokens_in + excluded.tokens_in,
    tokens_out = dream_spending.tokens_out + excluded.tokens_out,
    dollars = dream_spending.dollars + excluded.dollars;

-- name: save_dream_spending
insert into dream_spending (owner, day, calls, tokens_in, tokens_out, dollars) values (?, ?, ?, ?, ?, ?)
on conflict (owner, day) do update set calls = excluded.calls, tokens_in = excluded.tokens_in,
    tokens_out = excluded.tokens_out, dollars = excluded.dollars;

-- name: remove_dream_spending
delete from dream_spending where owner = ? and day = ?;

-- name: dream_answer
select answer from dream_answers where owner = :owner and session = :session and key = :key;

-- name: save_dream_answer
insert into dream_answers (owner, session, key, answer) values (:owner, :session, :key, :answer)
on conflict (owner, session, key) do update set answer = excluded.answer;

-- name: remove_dream_answers
delete from dream_answers where owner = :owner and session = :session;

-- name: memory_pages
-- The newest generation first.
select digest, body, written_ms from memory_pages where owner = :owner and project = :project and body is not null
order by written_ms desc, digest;

-- name: memory_page_marks
-- What is noted of a page besides its generations.
select digest from memory_pages where owner = :owner and project = :project and body is null order by digest;

-- name: last_memory_page
-- Sorted without their bodies, of which only one is read.
select digest, body, written_ms from memory_pages where owner = :owner and project = :project and digest = (
    select digest from memory_pages where owner = :owner and project = :project and body is not null
    order by written_ms desc, digest limit 1);

-- name: remove_old_memory_pages
delete from memory_pages where owner = :owner and project = :project and digest in (
    select digest from memory_pages where owner = :owner and project = :project and body is not null
    order by written_ms desc, digest limit 1000000000 offset :kept);

-- name: projects_with_pages_due
select distinct project from memory_pages where owner = :owner and digest = '' order by project;

-- name: save_memory_page
insert into memory_pages (owner, project, digest, body, written_ms)
values (:owner, :project, :digest, :body, :written_ms)
on conflict (owner, project, digest) do update set body = excluded.body, written_ms = excluded.written_ms;

-- name: remove_memory_page
delete from memory_pages where owner = :owner and project = :project and digest = :digest;

-- name: find_memory_page
select 1 from memory_pages where owner = :owner and project = :project and digest = :digest;

-- name: remove_memory_page_marks
delete from memory_pages where owner = :owner and project = :project and body is null and digest not like 'topic:%';

-- name: remove_seen_of_pages
-- What is folded again may have changed by a line of before what a page has seen.
delete from memory_pages
where owner = :owner and (:project is null or project = :project) and body is null and digest like 'seen:%';

-- name: completed_dreams
select count(*) from dream_sessions where owner = :owner and status = 'completed';

-- name: dump_dream_sessions
select session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts, next_attempt_ms, last_attempt_ms,
       completed_ms, lease_owner, lease_ms, run, artifacts, failure, held
from dream_sessions where owner = :owner order by session, epoch;

-- name: dump_dream_runs
select id, status, "trigger", started_ms, finished_ms, report from dream_runs where owner = :owner order by id;

-- name: dump_dream_spending
select day, calls, tokens_in, tokens_out, dollars from dream_spending where owner = :owner order by day;

-- name: dream_bookkeeping
-- What dreams and others wrote for themselves, the oldest first.
select id, body from events where owner = :owner and bookkeeping = 1 and hidden_by is null order by id;

-- name: dream_bookkeeping_of
select id, body from events where session = :session and owner = :owner and bookkeeping = 1 and hidden_by is null
order by +id;

-- name: leading_memories
-- Of a project alone, the most important first; what is stale waits until somebody confirms it.
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and project = :project and status = 'active' and (pinned = 1 or verified <> 'stale')
order by pinned desc, weight desc, id limit :most;

-- name: leading_lines
-- The lines of these, by index alone; null of those of which none is known.
select m.id, l.section, l.text, l.is_must, l.topic, l.size
from memories m left join memory_lines l
  on l.owner = m.owner and l.project = m.project and l.memory = m.id and l.form = :form
where m.owner = :owner and m.project = :project and m.status = 'active' and (m.pinned = 1 or m.verified <> 'stale')
order by m.pinned desc, m.weight desc, m.id limit :most;

-- name: save_memory_line
insert into memory_lines (owner, project, form, memory, section, text, is_must, topic, size)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (owner, project, memory) do update set
    form = excluded.form, section = excluded.section, text = excluded.text, is_must = excluded.is_must,
    topic = excluded.topic, size = excluded.size;

-- name: memory_line_count
select count(*) from memory_lines where owner = :owner and project = :project;

-- name: remove_other_memory_lines
delete from memory_lines
where owner = :owner and project = :project and memory not in (select value from json_each(:kept));

-- name: verified_memories
-- About which something was known once; of the stale ones only those that are shown nevertheless.
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where +owner = :owner and project = :project and verified = 'ok' and +status = 'active'
union all
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where +owner = :owner and project = :project and verified = 'stale' and +status = 'active' and pinned = 1
limit :most;

-- name: stale_memories
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and project = :project and verified = 'stale' and +status = 'active' and pinned = 0
order by weight desc, id limit :most;

-- name: memories_of_topic
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and project = :project and topic = :topic and status = 'active'
order by pinned desc, weight desc, id limit :most;

-- name: names_of_topic
-- The same, by index alone.
select id from memories where owner = :owner and project = :project and topic = :topic and status = 'active'
order by pinned desc, weight desc, id limit :most;

-- name: memory_topics
select topic, held from memory_topics where owner = :owner and project = :project and held > 0 order by topic;

-- name: events_of_type
-- Which of these events are of this type.
select id from events where owner = :owner and id in (select value from json_each(:ids)) and type = :type;

-- name: types_of_events
select id, project, type from events where owner = :owner and id in (select value from json_each(:ids));

-- name: memory_changes_after
-- The lines of the events after one that change memories.
select body from events where owner = :owner and id > :after and project = :project
order by id limit :most;

-- name: memory_topic_names
-- Each is found from the one before, so memories of the same topic are never read through.
with recursive names (topic, n) as (
    select min(topic), 1 from memories where owner = :owner and project = :project
    union all
    select (select min(m.topic) from memories m
            where m.owner = :owner and m.project = :project and m.topic > names.topic), n + 1
    from names where names.topic is not null and n < 100
)
select topic from names where topic <> '' order by topic;

-- name: memory_of_event
-- The memories that rest on an event, or that it says.
select m.id, m.project, m.kind, m.text, m.status, m.recorded_ms, m.retired_ms, m.superseded_by, m.event, m.body
from memories m where m.owner = :owner and m.id in (  -- with `or`, all memories would be read
    select memory from memory_support where owner = :owner and event = :event
    union all select id from memories where owner = :owner and event = :event)
order by m.id;

-- name: support_memory
insert into memory_support (owner, event, memory, project) values (?, ?, ?, ?)
on conflict (owner, event, memory) do nothing;

-- name: remove_folded_support
delete from memory_support where owner = :owner and (:project is null or project = :project);

-- name: dump_support
select event, memory from memory_support where owner = :owner and project = :project order by event, memory;

-- name: retracted_events
-- What somebody rejected, the newest first.
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and project = :project and status = 'retracted' order by id desc limit :most;

-- name: suggested_events
-- What waits to be looked at, the oldest first.
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and (:project is null or project = :project) and status = 'suggested' and hidden_by is null
  and superseded_by is null and id > :after
order by id limit :most;

-- name: suggested_count
select count(*) from events
where owner = :owner and (:project is null or project = :project) and status = 'suggested' and hidden_by is null
  and superseded_by is null;

-- name: events_citing
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and no in (
    select event from citations where owner = :owner and session = :session and (:message is null or message = :message))
order by id;

-- name: events_of_session
-- By its sessions: by id, all events would be read.
select type, status, hidden_by, superseded_by, body from events
where session = :session and owner = :owner and hidden_by is null and bookkeeping = 0
order by +id desc limit :most;

-- name: cited_messages
-- The messages of a session that events rest on.
select distinct message from citations where owner = :owner and session = :session;

-- name: all_owners
-- Whoever has anything here.
select owner from sessions union select owner from places union select owner from tombstones
union select owner from journals union select owner from dream_sessions union select owner from dream_runs
union select owner from dream_state union select owner from dream_spending union select owner from memory_pages
order by 1;

-- name: holdings
-- How much an owner has, as a snapshot tells it.
select (select count(*) from sessions where owner = :owner),
       (select coalesce(sum(message_count), 0) from sessions where owner = :owner),
       (select count(*) from events where owner = :owner),
       (select count(*) from nodes where owner = :owner),
       (select count(*) from memories where owner = :owner),
       (select count(*) from dream_sessions where owner = :owner and status = 'completed'),
       (select count(*) from dream_sessions where owner = :owner and status <> 'completed'),
       (select count(*) from dream_runs where owner = :owner),
       (select count(*) from tombstones where owner = :owner),
       (select coalesce(max(last_success_ms), 0) from dream_state where owner = :owner);
