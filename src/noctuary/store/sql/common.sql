-- Queries that both databases run as they are.

-- name: find_session
select no, owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
       source_path, started_ms, last_ms, ended_ms, status, message_count, preview
from sessions where owner = :owner and id = :id;

-- name: sessions_by_number
select no, owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
       source_path, started_ms, last_ms, ended_ms, status, message_count, preview, last_id
from sessions where no in (select value from json_each(:numbers));

-- name: recent_sessions
select no, owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
       source_path, started_ms, last_ms, ended_ms, status, message_count, preview
from sessions
where owner = :owner and message_count > 0
  and (:agent is null or agent = :agent or agent like :agent_like escape '\')
  and (:project is null or project = :project or project like :project_like escape '\')
  and (:after_ms is null or last_ms >= :after_ms)
  and (:before_ms is null or started_ms < :before_ms)
order by last_ms desc, no desc limit :most;

-- name: sessions_like
-- Sessions whose id begins with the text; ids are long, people type their beginning.
select id from sessions where owner = :owner and id like :prefix escape '\' order by id limit 11;

-- name: pick_sessions
select no from sessions
where owner = :owner
  and (:agent is null or agent = :agent or agent like :agent_like escape '\')
  and (:project is null or project = :project or project like :project_like escape '\')
  and (:session is null or id = :session or id like :session_like escape '\')
  and (:after_ms is null or last_ms >= :after_ms)
  and (:before_ms is null or started_ms < :before_ms)
  and id not in (select value from json_each(:excluded));

-- name: add_session
insert into sessions (owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
                      source_path, started_ms, last_ms, ended_ms, status)
values (:owner, :id, :agent, :project, :title, :title_source, :cwd, :branch, :model, :parent, :relation, :source,
        :source_path, :started_ms, :last_ms, :ended_ms, :status)
on conflict (owner, id) do nothing
returning no;

-- name: fill_session
-- What was missing is filled in; what is known stays.
update sessions set
    agent = coalesce(agent, :agent), project = coalesce(project, :project), cwd = coalesce(cwd, :cwd),
    parent = coalesce(parent, :parent), relation = coalesce(relation, :relation),
    source = coalesce(source, :source), source_path = coalesce(source_path, :source_path),
    started_ms = coalesce(started_ms, :started_ms), ended_ms = coalesce(:ended_ms, ended_ms),
    branch = coalesce(:branch, branch), model = coalesce(:model, model), status = :status
where no = :no;

-- name: title_session
update sessions set title = :title, title_source = :title_source where no = :no;

-- name: preview_session
update sessions set preview = :preview where no = :no;

-- name: count_up_session
-- The next id to give; the caller stores messages under the ids below it in the same transaction.
update sessions set
    last_id = last_id + :added, message_count = message_count + :visible,
    started_ms = case when :first_ms > 0 and (started_ms is null or started_ms = 0 or :first_ms < started_ms)
                      then :first_ms else started_ms end,
    last_ms = max(coalesce(last_ms, 0), :last_ms),
    preview = coalesce(preview, :preview)
where no = :no
returning last_id - :added + 1;

-- name: hide_in_session
update sessions set message_count = message_count - :visible where no = :no;

-- name: remove_session
delete from sessions where no = :no;

-- name: sessions_of_project
select id from sessions where owner = :owner and (project = :project or project like :project_like escape '\');

-- name: project_names
select distinct project from sessions
where owner = :owner and (project = :project or project like :project_like escape '\');

-- name: session_counts
select count(*), coalesce(sum(message_count), 0), min(started_ms), max(last_ms) from sessions where owner = :owner;

-- name: sessions_by_agent
select coalesce(agent, 'other'), count(*), sum(message_count), max(last_ms)
from sessions where owner = :owner group by 1 order by 2 desc;

-- name: projects
select project, count(*), sum(message_count), max(last_ms)
from sessions where owner = :owner and project is not null group by 1 order by 4 desc limit :most;

-- name: add_message
insert into messages (key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, uid, tool_calls, content)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: messages_between
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key between :low and :high order by key;

-- name: visible_after
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key between :low and :high and hidden is null order by key limit :most;

-- name: visible_before
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key between :low and :high and hidden is null order by key desc limit :most;

-- name: from_message_on
-- A message, whatever it is, and so many of the conversation after it.
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key between :low and :high and (hidden is null or key < :next) order by key limit :most;

-- name: first_talk
-- What people and agents said first, without tools.
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key between :low and :high and hidden is null and kind = 'text' and role in ('user', 'assistant')
  and content <> '' order by key limit :most;

-- name: last_talk
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key between :low and :high and hidden is null and kind = 'text' and role in ('user', 'assistant')
  and content <> '' order by key desc limit :most;

-- name: count_visible
select count(*) from messages where key between :low and :high and hidden is null;

-- name: messages_by_key
select key, role, kind, ts_ms, hidden, tool_name, call_id, source_line, tool_calls, content
from messages where key in (select value from json_each(:keys));

-- name: texts_by_key
select key, ts_ms, content from messages where key in (select value from json_each(:keys));

-- name: known_uids
select uid, key from messages where uid in (select value from json_each(:uids));

-- name: uids_of_session
select uid from messages where key between :low and :high and uid is not null;

-- name: hide_message
update messages set hidden = ? where key = ?;

-- name: remove_messages
delete from messages where key between :low and :high;

-- name: remove_message
delete from messages where key = ?;

-- name: containing
-- A scan, newest first; only for what has no words in it (`=>`, `&&`), for which no index helps.
select key from messages
where hidden is null and instr(content, :text) > 0
  and ((:voices >> ((key >> 5) & 7)) & 1)
  and (:picked is null or (key >> 32) in (select value from json_each(:picked)))
  and ts_ms between :after_ms and :before_ms - 1
order by key desc limit :most;

-- name: containing_word
select key from messages where instr(lower(content), lower(:text)) > 0 order by key;

-- name: add_totals
insert into totals (owner, messages, characters) values (:owner, :messages, :characters)
on conflict (owner) do update set
    messages = totals.messages + excluded.messages, characters = totals.characters + excluded.characters;

-- name: set_totals
insert into totals (owner, messages, characters) values (:owner, :messages, :characters)
on conflict (owner) do update set messages = excluded.messages, characters = excluded.characters;

-- name: totals
select messages, characters from totals where owner = :owner;

-- name: numbers_of_owner
select no from sessions where owner = :owner;

-- name: newest_session
select coalesce(max(no), 0) from sessions;

-- name: another_owner
select owner from sessions where owner < :owner or owner > :owner limit 1;

-- name: owners
select distinct owner from sessions order by owner;

-- name: find_place
select size, mtime_ns, byte_offset, line, fingerprint, state, error from places where owner = :owner and path = :path;

-- name: places
select path, size, mtime_ns, error from places where owner = :owner;

-- name: save_place
insert into places (owner, path, size, mtime_ns, byte_offset, line, fingerprint, state, error)
values (:owner, :path, :size, :mtime_ns, :byte_offset, :line, :fingerprint, :state, :error)
on conflict (owner, path) do update set
    size = excluded.size, mtime_ns = excluded.mtime_ns, byte_offset = excluded.byte_offset, line = excluded.line,
    fingerprint = excluded.fingerprint, state = excluded.state, error = excluded.error;

-- name: add_tombstone
insert into tombstones (owner, kind, key, made_ms) values (:owner, :kind, :key, :made_ms)
on conflict (owner, kind, key) do nothing;

-- name: tombstones
select kind, key from tombstones where owner = :owner;

-- name: embedders
select no, name, source, dimension, state, changes from embedders order by no;

-- name: is_embedder
select 1 from embedders where no = :no;

-- name: is_session
select 1 from sessions where no = :no;

-- name: choose_embedder
insert into embedders (name, source, dimension, state) values (:name, :source, :dimension, :state)
on conflict (name) do update set source = excluded.source, state = excluded.state;

-- name: serve_embedder
update embedders set state = :state where no = :no;

-- name: remove_embedder
delete from embedders where no = :no;

-- name: count_change
update embedders set changes = changes + 1 where no = :no;

-- name: count_every_change
update embedders set changes = changes + 1;

-- name: sessions_without_vectors
select s.no, coalesce(v.upto, 0), s.last_id from sessions s
left join vectors v on v.embedder = :embedder and v.session = s.no
where s.last_id > coalesce(v.upto, 0) order by s.last_ms desc, s.no desc limit :most;

-- name: vector_coverage
select (select coalesce(sum(min(v.upto, s.last_id)), 0) from vectors v join sessions s on s.no = v.session
        where v.embedder = :embedder),
       (select coalesce(sum(last_id), 0) from sessions);

-- name: vectors_of_session
-- What a careless hand turned into a text is bytes again, here as below, and what is no id of a message is -1.
select case when typeof(upto) = 'integer' and upto >= 0 then upto else -1 end, cast(lows as blob), cast(scales as blob), cast(codes as blob)
from vectors where embedder = :embedder and session = :session;

-- name: vectors_of_sessions
select session, cast(lows as blob), cast(scales as blob), cast(codes as blob) from vectors
where embedder = :embedder and session in (select value from json_each(:sessions));

-- name: all_vectors
select session, cast(lows as blob), cast(scales as blob), cast(codes as blob)
from vectors where embedder = :embedder and typeof(session) = 'integer';

-- name: save_vectors
insert into vectors (embedder, session, upto, lows, scales, codes)
values (:embedder, :session, :upto, :lows, :scales, :codes)
on conflict (embedder, session) do update set
    upto = excluded.upto, lows = excluded.lows, scales = excluded.scales, codes = excluded.codes;

-- name: remove_vectors_of_session
delete from vectors where session = :session;

-- name: remove_vectors_of_embedder
delete from vectors where embedder = :embedder;

-- name: remove_all_vectors
delete from vectors;

-- name: remove_all_embedders
delete from embedders;

-- name: embeddable_keys
select key from messages where key between :low and :high and hidden is null;

-- name: embeddable
select key, content from messages where key between :low and :high and hidden is null order by key;

-- name: last_prompt
-- What a person said last before a message of the same session.
select content from messages where key between :low and :high and hidden is null and (key >> 5) & 7 = 0
order by key desc limit 1;

-- name: is_any_vector
select 1 from vectors where embedder = :embedder and length(lows) > 0 limit 1;

-- name: sessions_with_vectors
select session from vectors where embedder = :embedder order by session;

-- name: remove_vectors
delete from vectors where embedder = :embedder and session = :session;
