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
    branch = coalesce(:branch, branch), model = coalesce(:model, model),
    status = case when :status = 'active' then status else :status end  -- nobody says that a session is active
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

-- name: projects_of_sessions
select id, project from sessions where owner = :owner and id in (select value from json_each(:ids));

-- name: titles_of_sessions
select id, project, title, preview from sessions
where owner = :owner and id in (select value from json_each(:ids));

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
-- A scan, newest first; only for what stands inside of words, or has none in it (`=>`, `&&`): the index knows words.
select key from messages
where hidden is null and instr(lower(content), lower(:text)) > 0
  and ((:voices >> ((key >> 5) & 7)) & 1)
  and (:picked is null or (key >> 32) in (select value from json_each(:picked)))
  and ts_ms between :after_ms and :before_ms - 1
order by key desc limit :most;

-- name: containing_word
select key from messages where instr(lower(content), lower(:text)) > 0 order by key;

-- name: beyond_ascii
select key from messages where length(cast(content as blob)) <> length(content) order by key;

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

-- name: another_owner
select owner from sessions where owner < :owner or owner > :owner limit 1;

-- name: owners
select distinct owner from sessions order by owner;

-- name: find_place
select size, mtime_ns, byte_offset, line, fingerprint, state, error, agent, told, malformed, drift
from places where owner = :owner and path = :path;

-- name: places
select path, size, mtime_ns, error from places where owner = :owner;

-- name: place_counts
-- What every transcript ever read told.
select path, agent, told, malformed, drift from places where owner = :owner order by path;

-- name: save_place
insert into places (owner, path, size, mtime_ns, byte_offset, line, fingerprint, state, error, agent, told, malformed,
                    drift)
values (:owner, :path, :size, :mtime_ns, :byte_offset, :line, :fingerprint, :state, :error, :agent, :told, :malformed,
        :drift)
on conflict (owner, path) do update set
    size = excluded.size, mtime_ns = excluded.mtime_ns, byte_offset = excluded.byte_offset, line = excluded.line,
    fingerprint = excluded.fingerprint, state = excluded.state, error = excluded.error, agent = excluded.agent,
    told = excluded.told, malformed = excluded.malformed, drift = excluded.drift;

-- name: find_tombstone
select made_ms from tombstones where owner = :owner and kind = :kind and key = :key;

-- name: has_tombstone
-- Whether anything of a kind was forgotten.
select 1 from tombstones where owner = :owner and kind = :kind limit 1;

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

-- name: find_journal
select place, number, digest, last_id, start from journals where owner = :owner and project = :project;

-- name: folded_projects
select project from journals where owner = :owner order by project;

-- name: save_journal
insert into journals (owner, project, place, number, digest, last_id, start)
values (:owner, :project, :place, :number, :digest, :last_id, :start)
on conflict (owner, project) do update set
    place = excluded.place, number = excluded.number, digest = excluded.digest, last_id = excluded.last_id,
    start = excluded.start;

-- name: newest_event
select coalesce(max(no), 0) from events;

-- name: known_events
select id from events where owner = :owner and id in (select value from json_each(:ids));

-- name: add_event
insert into events (no, owner, project, id, node, type, ts_ms, author, status, session, bookkeeping, hidden_by,
                    superseded_by, body)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: cite_message
insert into citations (owner, session, message, event) values (?, ?, ?, ?) on conflict do nothing;

-- name: last_told
-- The last event of a project that whoever listens was told of.
select id from told_events where owner = :owner and project = :project;

-- name: tell_of_event
insert into changes (owner, project, kind, name, detail) values (?, ?, 'event', ?, ?);

-- name: note_told
insert into told_events (owner, project, id) values (:owner, :project, :id)
on conflict (owner, project) do update set id = excluded.id;

-- name: change_event
update events set node = :node, status = :status, hidden_by = :hidden_by, superseded_by = :superseded_by
where no = :no;

-- name: event_state
-- The row, but for its line.
select no, owner, project, id, node, type, ts_ms, author, status, session, bookkeeping, hidden_by, superseded_by
from events where owner = :owner and id = :id;

-- name: proposals_of_other_runs
-- Found by the message that they cite; whatever became of them.
select e.id from citations c join events e on e.no = c.event
where c.owner = :owner and c.session = :session and c.message = :message
  and e.project = :project and e.author = 'dream' and json_extract(e.body, '$.text') = :text
  and json_extract(e.body, '$.refs.messages[0].session') = :session
  and json_extract(e.body, '$.refs.messages[0].id') = :message
  and json_extract(e.body, '$.status') = 'suggested' and json_extract(e.body, '$.meta.dream.run') not in ('', :run)
order by e.id;

-- name: superseded_by_event
select id from events where superseded_by = :id and owner = :owner and project = :project;

-- name: events_superseded_by
select type, status, hidden_by, superseded_by, body from events where superseded_by = :id and owner = :owner;

-- name: find_event
select type, status, hidden_by, superseded_by, body from events where owner = :owner and id = :id;

-- name: events_like
select id from events where owner = :owner and id like :prefix escape '\' order by id limit 11;

-- name: events_of_node
-- The newest first; of the types asked for, those that still hold.
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and node = :node and bookkeeping = 0
  and (:hidden <> 0 or (hidden_by is null and status <> 'retracted'))
  and (:types is null or type in (select value from json_each(:types)))
order by ts_ms desc, id desc limit :most;

-- name: events_of_project
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and (:project is null or project = :project)
  and (:hidden <> 0 or (hidden_by is null and status <> 'retracted'))
  and (:types is null or type in (select value from json_each(:types)))
  and (:status is null or status = :status)
  and ts_ms >= :after_ms
order by ts_ms desc, id desc limit :most;

-- name: all_events
-- As they are folded: by id.
select type, status, hidden_by, superseded_by, body from events
where owner = :owner and (:project is null or project = :project) order by id;

-- name: task_of_session
-- The task that an agent's session wrote about last; what hooks and dreams wrote binds nothing.
select node from events
where owner = :owner and session = :session and node is not null and bookkeeping = 0
  and author in ('user', 'agent')
order by +id desc limit 1;

-- name: events_by_number
select no, type, status, hidden_by, superseded_by, body from events
where no in (select value from json_each(:numbers)) and +owner = :owner
  and (:project is null or project = :project) and (:node is null or node = :node)
  and (:types is null or type in (select value from json_each(:types)))
  and +ts_ms >= :after_ms;

-- name: is_any_citation
select 1 from citations where owner = :owner limit 1;

-- name: citations_by_events
-- The messages that these events rest on, if the events were not taken back; a place is that of a key.
select e.no, (s.no << 24) | c.message, e.superseded_by is null from json_each(:events) j
join events e on e.no = j.value and +e.owner = :owner and e.hidden_by is null and e.status <> 'retracted'
join citations c on c.event = e.no
join sessions s on s.owner = :owner and s.id = c.session;

-- name: citations_in_sessions
-- The same for all events that rest on messages of these sessions, the newest first.
select e.no, (s.no << 24) | c.message, e.superseded_by is null from json_each(:sessions) j
join sessions s on s.no = j.value and +s.owner = :owner
join citations c on c.owner = :owner and c.session = s.id
join events e on e.no = c.event and e.hidden_by is null and e.status <> 'retracted'
order by e.no desc limit :most;

-- name: numbers_of_events
select no from events where owner = :owner and (:project is null or project = :project);

-- name: node_counts
select type, status, count(*) from nodes where owner = :owner group by type, status;

-- name: newest_node
select coalesce(max(no), 0) from nodes;

-- name: save_node
insert into nodes (no, owner, project, id, type, title, status, description, priority, rank, assigned_to, created_by,
                   labels, parent, goal, outcome, outcome_tag, external, blocked_reason, created_ms, started_ms,
                   completed_ms, last_ms, lease_ms, metadata)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (owner, id) do update set
    project = excluded.project, title = excluded.title, status = excluded.status, description = excluded.description,
    priority = excluded.priority, rank = excluded.rank, assigned_to = excluded.assigned_to,
    created_by = excluded.created_by, labels = excluded.labels, parent = excluded.parent, goal = excluded.goal,
    outcome = excluded.outcome, outcome_tag = excluded.outcome_tag, external = excluded.external,
    blocked_reason = excluded.blocked_reason, created_ms = excluded.created_ms, started_ms = excluded.started_ms,
    completed_ms = excluded.completed_ms, last_ms = excluded.last_ms, lease_ms = excluded.lease_ms,
    metadata = excluded.metadata;

-- name: node_row
select no, owner, project, id, type, title, status, description, priority, rank, assigned_to, created_by, labels,
       parent, goal, outcome, outcome_tag, external, blocked_reason, created_ms, started_ms, completed_ms, last_ms,
       lease_ms, metadata
from nodes where owner = :owner and id = :id;

-- name: nodes_by_id
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata
from nodes n left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where n.owner = :owner and n.id in (select value from json_each(:ids));

-- name: nodes_like
select id from nodes where owner = :owner and id like :prefix escape '\' order by id limit 11;

-- name: nodes_where
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata
from nodes n left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where n.owner = :owner and (:project is null or n.project = :project)
  and (:types is null or n.type in (select value from json_each(:types)))
  and (:statuses is null or n.status in (select value from json_each(:statuses)))
  and (:idle_since is null or n.last_ms <= :idle_since)
  and (:behind_ms is null or (n.created_ms, n.id) > (:behind_ms, :behind_id))
order by n.created_ms, n.id limit :most;

-- name: children
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata
from nodes n left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where n.owner = :owner and n.parent = :parent order by n.created_ms, n.id;

-- name: nodes_by_number
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata
from nodes n left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where +n.owner = :owner and n.no in (select value from json_each(:numbers))
  and (:project is null or n.project = :project)
  and (:types is null or n.type in (select value from json_each(:types)));

-- name: subtree
-- All that a node contains, and the node; `union` ends even where a merge made a circle.
with recursive below (id) as (
    select :root
    union
    select e.to_id from below b cross join edges e  -- in this order, or all edges are read at each step
    where e.owner = :owner and e.type = 'contains' and e.from_id = b.id)
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata
from below b cross join nodes n
left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where n.owner = :owner and n.id = b.id
order by n.created_ms, n.id;

-- name: ready_tasks
-- Tasks that wait for nothing: not begun, or held by an agent whose lease is over, and all they depend on done.  And,
-- with what each waits for, those that wait for what will not be done any more.
-- What is not done is counted: of `not exists` a server that knows nothing of the tables yet makes a join of all with
-- all, and took fifteen seconds for four thousand tasks.
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata,
       null, null, null, n.rank, 0
from nodes n left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where n.owner = :owner and n.type = 'task' and n.status in ('pending', 'ready', 'claimed', 'in_progress')
  and (:project is null or n.project = :project)
  and (n.status in ('pending', 'ready')
       or (n.lease_ms is not null and max(n.lease_ms, coalesce(l.until_ms, 0)) <= :now_ms))
  and (select count(*) from edges e join nodes d on d.owner = e.owner and d.id = e.to_id
       where e.owner = n.owner and e.type = 'depends_on' and e.from_id = n.id
         and d.status not in ('completed', 'decided')) = 0
union all
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata,
       d.id, d.title, d.status, n.rank, d.created_ms
from nodes d cross join edges e on e.to_id = d.id and e.owner = d.owner and e.type = 'depends_on'
cross join nodes n on n.owner = e.owner and n.id = e.from_id
left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where d.owner = :owner and d.type in ('task', 'goal', 'decision') and d.status in ('cancelled', 'failed', 'superseded')
  and n.type = 'task' and n.status in ('pending', 'ready', 'claimed', 'in_progress')
  and (:project is null or n.project = :project)
  and (n.status in ('pending', 'ready')
       or (n.lease_ms is not null and max(n.lease_ms, coalesce(l.until_ms, 0)) <= :now_ms))
order by 27, 18, 3, 28, 24;

-- name: unmet_dependencies
-- What keeps tasks from being ready, of those given: the task, what it waits for, and where that stands.
select e.from_id, d.id, d.title, d.status from edges e cross join nodes d on d.owner = e.owner and d.id = e.to_id
where e.owner = :owner and e.type = 'depends_on' and d.status not in ('completed', 'decided')
  and e.from_id in (select value from json_each(:ids))
order by e.from_id, d.created_ms, d.id;

-- name: numbers_of_nodes
select no from nodes where owner = :owner and (:project is null or project = :project);

-- name: save_edge
insert into edges (owner, type, from_id, to_id, id, project, label, created_ms) values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (owner, type, from_id, to_id) do update set label = excluded.label, created_ms = excluded.created_ms;

-- name: edge_row
select owner, type, from_id, to_id, id, project, label, created_ms from edges
where owner = :owner and type = :type and from_id = :from_id and to_id = :to_id;

-- name: remove_edge
delete from edges where owner = ? and type = ? and from_id = ? and to_id = ?;

-- name: edges_of
-- All that begin or end at one of the nodes.  The plus keeps SQLite from reading all edges of the owner instead.
select id, type, from_id, to_id, label, created_ms from edges
where from_id in (select value from json_each(:ids)) and +owner = :owner and (:type is null or type = :type)
union
select id, type, from_id, to_id, label, created_ms from edges
where to_id in (select value from json_each(:ids)) and +owner = :owner and (:type is null or type = :type)
order by 6, 1;

-- name: edges_of_type
select from_id, to_id from edges where owner = :owner and type = :type;

-- name: reachable
-- Whether one node is reached from another, and so would close a circle.
with recursive ahead (id) as (
    select :from_id
    union
    select e.to_id from ahead a cross join edges e
    where e.owner = :owner and e.type in (select value from json_each(:types)) and e.from_id = a.id)
select 1 from ahead where id = :to_id;

-- name: edges_from
select from_id, to_id from edges where owner = :owner and type = :type and from_id = :from_id order by to_id;

-- name: save_work_session
insert into work_sessions (owner, project, id, goal, started_ms, ended_ms, notes, agents, summary)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (owner, id) do update set
    goal = excluded.goal, ended_ms = excluded.ended_ms, notes = excluded.notes, agents = excluded.agents, summary = excluded.summary;

-- name: find_work_session
select id, project, goal, started_ms, ended_ms, notes, agents, summary from work_sessions
where owner = :owner and id = :id;

-- name: work_sessions_of_goal
select id, project, goal, started_ms, ended_ms, notes, agents, summary from work_sessions
where owner = :owner and (:goal is null or goal = :goal) and (:project is null or project = :project)
  and (:is_ended = 0 or ended_ms is not null) and (:is_open = 0 or ended_ms is null)
order by started_ms desc, id desc limit :most;

-- name: save_memory
insert into memories (owner, id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body,
                      topic, pinned, weight, verified)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (owner, id) do update set
    project = excluded.project, kind = excluded.kind, text = excluded.text, status = excluded.status,
    recorded_ms = excluded.recorded_ms, retired_ms = excluded.retired_ms, superseded_by = excluded.superseded_by,
    event = excluded.event, body = excluded.body, topic = excluded.topic, pinned = excluded.pinned,
    weight = excluded.weight, verified = excluded.verified;

-- name: find_memory
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and id = :id;

-- name: memories_named
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and id in (select value from json_each(:ids));

-- name: known_memories
select id from memories where owner = :owner and id in (select value from json_each(:ids));

-- name: memory_weights
select id, json_extract(body, '$.weight') from memories
where owner = :owner and id in (select value from json_each(:ids));

-- name: memories_where
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and (:project is null or project in (:project, ''))
  and (:statuses is null or status in (select value from json_each(:statuses)))
order by recorded_ms desc, id limit :most;

-- name: memories_page
-- Some of the memories that fit, the newest first, and how many fit; a project that is null is every project.
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body, count(*) over ()
from memories
where owner = :owner and (:project is null or project = :project) and (:kind is null or kind = :kind)
  and (:topic is null or topic = :topic) and (:pinned is null or pinned = :pinned)
  and status in (select value from json_each(:statuses))
  and (:words is null or lower(text) like :words escape '\')
order by recorded_ms desc, id limit :most offset :skip;

-- name: memory_shares
-- How many memories there are of each project, kind and status.
select project, kind, status, count(*) from memories
where owner = :owner and (:project is null or project = :project) group by project, kind, status;

-- name: memory_topic_shares
-- The topics that most memories are about, of one project or of all.
select topic, sum(held) from memory_topics
where owner = :owner and (:project is null or project = :project) and held > 0 and topic <> ''
group by topic order by sum(held) desc, topic limit :most;

-- name: memories_superseded_by
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and superseded_by = :id order by recorded_ms desc, id limit :most;

-- name: ended_tasks
-- Tasks that have ended, the last first; a project that is null is every project.
select n.no, n.project, n.id, n.type, n.title, n.status, n.description, n.priority, n.assigned_to, n.created_by,
       n.labels, n.parent, n.goal, n.outcome, n.outcome_tag, n.external, n.blocked_reason, n.created_ms, n.started_ms,
       n.completed_ms, n.last_ms, max(n.lease_ms, coalesce(l.until_ms, 0)), n.metadata
from nodes n left join leases l on l.owner = n.owner and l.node = n.id and l.agent = n.assigned_to
where n.owner = :owner and (:project is null or n.project = :project) and n.type = 'task'
  and n.status in (select value from json_each(:statuses))
order by coalesce(n.completed_ms, n.last_ms) desc, n.id limit :most offset :skip;

-- name: node_shares
-- How many nodes there are of each type and status.
select type, status, count(*) from nodes
where owner = :owner and (:project is null or project = :project) group by type, status;

-- name: renew_lease
insert into leases (owner, node, agent, until_ms) values (:owner, :node, :agent, :until_ms)
on conflict (owner, node) do update set agent = excluded.agent, until_ms = excluded.until_ms;

-- name: event_count
select count(*) from events where owner = :owner;

-- name: other_events
-- Whether there is anything but the events of this project, or of this owner.
select 1 from events where owner <> :owner or (:project is not null and project <> :project) limit 1;

-- name: clear_events
delete from events;

-- name: clear_nodes
delete from nodes;

-- name: clear_edges
delete from edges;

-- name: remove_folded_events
delete from events where owner = :owner and (:project is null or project = :project);

-- name: remove_folded_nodes
delete from nodes where owner = :owner and (:project is null or project = :project);

-- name: remove_folded_edges
delete from edges where owner = :owner and (:project is null or project = :project);

-- name: remove_folded_work_sessions
delete from work_sessions where owner = :owner and (:project is null or project = :project);

-- name: remove_folded_memories
delete from memories where owner = :owner and (:project is null or project = :project);

-- name: remove_folded_journals
delete from journals where owner = :owner and (:project is null or project = :project);

-- name: loose_edges
-- Edges that begin or end where there is no node.
select e.id, e.project, case when f.id is null then e.from_id else e.to_id end
from edges e left join nodes f on f.owner = e.owner and f.id = e.from_id
             left join nodes t on t.owner = e.owner and t.id = e.to_id
where e.owner = :owner and (f.id is null or t.id is null) order by e.id;

-- name: dump_events
select id, node, type, ts_ms, author, status, session, bookkeeping, hidden_by, superseded_by, body from events
where owner = :owner and project = :project order by id;

-- name: dump_nodes
select id, type, title, status, description, priority, rank, assigned_to, created_by, labels, parent, goal, outcome,
       outcome_tag, external, blocked_reason, created_ms, started_ms, completed_ms, last_ms, lease_ms, metadata
from nodes where owner = :owner and project = :project order by id;

-- name: dump_edges
select id, type, from_id, to_id, label, created_ms from edges
where owner = :owner and project = :project order by type, from_id, to_id;

-- name: dump_work_sessions
select id, goal, started_ms, ended_ms, notes, agents, summary from work_sessions
where owner = :owner and project = :project order by id;

-- name: dump_memories
select id, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and project = :project order by id;

-- name: told_events
-- What was noted in a project and still holds, the newest first, without what nobody reads for it.
select id, type, status, ts_ms, coalesce(session, json_extract(body, '$.refs.messages[0].session'), ''),
       json_extract(body, '$.text'), json_extract(body, '$.trust'), json_extract(body, '$.confidence'),
       json_extract(body, '$.meta.alternatives')
from events
where owner = :owner and project = :project and bookkeeping = 0 and hidden_by is null and superseded_by is null
  and +status <> 'retracted' and type in (select value from json_each(:types))
order by ts_ms desc, id desc limit :most;

-- name: weightiest_memories
select id, project, kind, text, status, recorded_ms, retired_ms, superseded_by, event, body from memories
where owner = :owner and project = :project and status = :status
order by pinned desc, weight desc, id limit :most;

-- name: supported_memories
-- Which of these events say a memory, or support one, unless it is only proposed.
select event, id from memories
where owner = :owner and event in (select value from json_each(:events)) and status <> 'proposed'
union
select s.event, s.memory from json_each(:events) j
join memory_support s on s.owner = :owner and s.event = j.value
join memories m on m.owner = :owner and m.id = s.memory and m.status <> 'proposed';

-- name: last_sessions
-- Of a project alone, without those that agents had with themselves.
select no, owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
       source_path, started_ms, last_ms, ended_ms, status, message_count, preview
from sessions
where owner = :owner and project = :project and message_count > 0 and (relation is null or relation <> 'subagent')
order by last_ms desc, id desc limit :most;

-- name: events_ending_in
select id from events where owner = :owner and id like :ending order by id desc limit 11;

-- name: journal_projects
select distinct project from journal_lines where owner = :owner;

-- name: journal_end
select start + length(content) + 1 from journal_lines
where owner = :owner and project = :project order by start desc limit 1;

-- name: journal_line_at
select content from journal_lines where owner = :owner and project = :project and start = :start;

-- name: journal_lines_from
select start, number, content from journal_lines
where owner = :owner and project = :project and start >= :start order by start limit :most;

-- name: add_journal_line
insert into journal_lines (owner, project, start, number, content) values (?, ?, ?, ?, ?);

-- name: remove_journal_lines
delete from journal_lines where owner = :owner and project = :project;
