-- All rows of one owner, table by table, as they are moved to another database: see store/owned_rows.py.

-- name: owned_totals
select messages, characters from totals where owner = :owner;

-- name: add_owned_totals
insert into totals (owner, messages, characters)
values (?, ?, ?);

-- name: owned_places
select path, size, mtime_ns, byte_offset, line, fingerprint, state, error, agent, told, malformed, drift
from places where owner = :owner;

-- name: add_owned_places
insert into places (owner, path, size, mtime_ns, byte_offset, line, fingerprint, state, error, agent, told, malformed,
                    drift)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_tombstones
select kind, key, made_ms from tombstones where owner = :owner;

-- name: add_owned_tombstones
insert into tombstones (owner, kind, key, made_ms)
values (?, ?, ?, ?);

-- name: owned_leases
select node, agent, until_ms from leases where owner = :owner;

-- name: add_owned_leases
insert into leases (owner, node, agent, until_ms)
values (?, ?, ?, ?);

-- name: owned_dream_sessions
select session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts, next_attempt_ms, last_attempt_ms,
       completed_ms, lease_owner, lease_ms, run, artifacts, failure, held
from dream_sessions where owner = :owner;

-- name: add_owned_dream_sessions
insert into dream_sessions (owner, session, epoch, status, "trigger", first_id, last_id, recorded_ms, attempts,
                            next_attempt_ms, last_attempt_ms, completed_ms, lease_owner, lease_ms, run, artifacts,
                            failure, held)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_dream_runs
select id, status, "trigger", started_ms, finished_ms, report from dream_runs where owner = :owner;

-- name: add_owned_dream_runs
insert into dream_runs (owner, id, status, "trigger", started_ms, finished_ms, report)
values (?, ?, ?, ?, ?, ?, ?);

-- name: owned_dream_state
select last_success_ms, last_hygiene_ms, follow_up from dream_state where owner = :owner;

-- name: add_owned_dream_state
insert into dream_state (owner, last_success_ms, last_hygiene_ms, follow_up)
values (?, ?, ?, ?);

-- name: owned_dream_spending
select day, calls, tokens_in, tokens_out, dollars from dream_spending where owner = :owner;

-- name: add_owned_dream_spending
insert into dream_spending (owner, day, calls, tokens_in, tokens_out, dollars)
values (?, ?, ?, ?, ?, ?);

-- name: owned_dream_answers
select session, key, answer from dream_answers where owner = :owner;

-- name: add_owned_dream_answers
insert into dream_answers (owner, session, key, answer)
values (?, ?, ?, ?);

-- name: owned_memory_pages
select project, digest, body, written_ms from memory_pages where owner = :owner;

-- name: add_owned_memory_pages
insert into memory_pages (owner, project, digest, body, written_ms)
values (?, ?, ?, ?, ?);

-- name: owned_api_keys
select id, name, digest, project, scopes, made_ms, expires_ms, revoked_ms, used_ms, replaced_by
from api_keys where owner = :owner;

-- name: add_owned_api_keys
insert into api_keys (owner, id, name, digest, project, scopes, made_ms, expires_ms, revoked_ms, used_ms, replaced_by)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_audit_log
select id, at_ms, key_id, verb, path, status from audit_log where owner = :owner;

-- name: add_owned_audit_log
insert into audit_log (owner, id, at_ms, key_id, verb, path, status)
values (?, ?, ?, ?, ?, ?, ?);

-- name: owned_teams
select id, name, made_ms from teams where owner = :owner;

-- name: add_owned_teams
insert into teams (owner, id, name, made_ms)
values (?, ?, ?, ?);

-- name: owned_team_members
select team, role, invited_by, since_ms from team_members where owner = :owner;

-- name: add_owned_team_members
insert into team_members (owner, team, role, invited_by, since_ms)
values (?, ?, ?, ?, ?);

-- name: owned_shares
select id, team, memory, edition, kind, text, topic, facts, proposed_ms from shares where owner = :owner;

-- name: add_owned_shares
insert into shares (owner, id, team, memory, edition, kind, text, topic, facts, proposed_ms)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_share_reviews
select publisher, share, team, verdict, wording, reason, reviewed_ms from share_reviews where owner = :owner;

-- name: add_owned_share_reviews
insert into share_reviews (owner, publisher, share, team, verdict, wording, reason, reviewed_ms)
values (?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_share_history
select id, team, at_ms, what, about, publisher, is_open from share_history where owner = :owner;

-- name: add_owned_share_history
insert into share_history (owner, id, team, at_ms, what, about, publisher, is_open)
values (?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_share_bindings
select project, team, bound_ms from share_bindings where owner = :owner;

-- name: add_owned_share_bindings
insert into share_bindings (owner, project, team, bound_ms)
values (?, ?, ?, ?);

-- name: owned_dream_requests
select id, project, asked_ms, ended_ms, state, run, outcome from dream_requests where owner = :owner;

-- name: add_owned_dream_requests
insert into dream_requests (owner, id, project, asked_ms, ended_ms, state, run, outcome)
values (?, ?, ?, ?, ?, ?, ?, ?);

-- name: owned_request_answers
select key, asked, made_ms, status, headers, body from request_answers where owner = :owner;

-- name: add_owned_request_answers
insert into request_answers (owner, key, asked, made_ms, status, headers, body)
values (?, ?, ?, ?, ?, ?, ?);

-- name: owned_sessions
select no, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source, source_path,
       started_ms, last_ms, ended_ms, status, message_count, last_id, preview, covered_id
from sessions where owner = :owner;

-- name: add_owned_session
insert into sessions (owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
                      source_path, started_ms, last_ms, ended_ms, status, message_count, last_id, preview, covered_id)
values (:owner, :id, :agent, :project, :title, :title_source, :cwd, :branch, :model, :parent, :relation, :source,
        :source_path, :started_ms, :last_ms, :ended_ms, :status, :message_count, :last_id, :preview, :covered_id)
returning no;

-- name: owned_messages
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, uid, tool_calls, content
from messages where key between :low and :high order by key;

-- name: owned_vectors
select session, upto, lows, scales, codes from vectors
where embedder = :embedder and session in (select no from sessions where owner = :owner);

-- name: add_owned_embedder
insert into embedders (name, source, dimension, state, changes)
values (:name, :source, :dimension, :state, :changes) returning no;

-- name: add_owned_vectors
insert into vectors (embedder, session, upto, lows, scales, codes) values (?, ?, ?, ?, ?, ?);

-- name: everybody
-- Whoever has anything at all, even only a journal that was read.
select owner from sessions
union select owner from places
union select owner from tombstones
union select owner from leases
union select owner from dream_sessions
union select owner from dream_runs
union select owner from dream_state
union select owner from dream_spending
union select owner from dream_answers
union select owner from memory_pages
union select owner from api_keys
union select owner from teams
union select owner from team_members
union select owner from shares
union select owner from share_reviews
union select owner from share_history
union select owner from share_bindings
union select owner from dream_requests
union select owner from request_answers
union select owner from journals;
