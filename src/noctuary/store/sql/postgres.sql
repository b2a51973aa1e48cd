-- Queries that only PostgreSQL runs: the full-text index, and what SQLite says in words of its own.  One that has the
-- name of a query for both takes its place.  `::tsvector` and `::tsquery` behind a value have it made from a text or
-- from an expression of the index: see store/postgres_words.py.

-- name: add_session
-- Asked first whether it is there: else every look would use up a number, and there are only so many.
insert into sessions (owner, id, agent, project, title, title_source, cwd, branch, model, parent, relation, source,
                      source_path, started_ms, last_ms, ended_ms, status)
select :owner, :id, :agent, :project, :title, :title_source, :cwd, :branch, :model, :parent, :relation, :source,
       :source_path, :started_ms, :last_ms, :ended_ms, :status
where not exists (select 1 from sessions where owner = :owner and id = :id)
on conflict (owner, id) do nothing
returning no;

-- name: index_message
insert into message_index (key, words) values (?, ?::tsvector)
on conflict (key) do update set words = excluded.words;

-- name: unindex_message
delete from message_index where key = ?;

-- name: matching
select coalesce(json_agg(k), '[]')::text from matching_messages(:match::tsquery, :below, :most) k;

-- name: matching_within
select coalesce(json_agg(k), '[]')::text from matching_messages_within(
    :match::tsquery, :below, :most, :voices,
    case when :picked is null then null
         else array(select value::bigint from jsonb_array_elements_text(:picked::jsonb)) end,
    :timed <> 0, :after_ms, :before_ms) k;

-- name: printed_before
with newest as materialized (
    select i.key from matching_messages(:match::tsquery, :below, :looked_at) i (key))
select (
    select coalesce(json_agg(key), '[]')::text from (
        select i.key from newest i
        where ((i.key >> 5) & 7) = :voice
          and exists (select 1 from sessions s
                      where s.no = i.key >> 32 and s.owner = :owner and coalesce(s.project, '') = :project)
          and exists (select 1 from messages m where m.key = i.key and m.ts_ms < :before_ms)
        order by i.key desc limit :most) printed),
    (select count(*) from newest),
    (select count(*) from newest where key < :since);

-- name: keys_at
-- One stands at each; asked for the first, the server looks into the index and does not read the table.
select i.key from jsonb_array_elements_text(:positions::jsonb) p
cross join lateral (select key from message_index
                    where key between p.value::bigint << 8 and (p.value::bigint << 8) | 255 order by key limit 1) i;

-- name: containing
select key from containing_messages(
    :text, :most, :voices,
    case when :picked is null then null
         else array(select value::bigint from jsonb_array_elements_text(:picked::jsonb)) end,
    :after_ms, :before_ms) key;

-- name: containing_word
select key from every_message_containing(:text) key;

-- name: beyond_ascii
select key from messages_beyond_ascii() key;

-- name: vectors_of_session
select upto, lows, scales, codes from vectors where embedder = :embedder and session = :session;

-- name: vectors_of_sessions
select session, lows, scales, codes from vectors
where embedder = :embedder and session = any(array(select value::bigint from jsonb_array_elements_text(:sessions::jsonb)));

-- name: all_vectors
select session, lows, scales, codes from vectors where embedder = :embedder;

-- name: are_vectors_compared
select to_regproc('compare_passages') is not null;

-- name: compare_vectors
select keys, alike from compare_passages(
    :embedder, :question::text::real[], :factor::real,
    case when :sessions is null then null
         else array(select value::bigint from jsonb_array_elements_text(:sessions::jsonb)) end);

-- name: choose_embedder
insert into embedders (name, source, dimension, state) values (:name, :source, :dimension, :state)
on conflict (owner, name) do update set source = excluded.source, state = excluded.state;

-- name: vectors_beside_index
select v.session,
       length(v.lows) % 4 = 0 and length(v.lows) = length(v.scales)
       and length(v.codes) * 4 = length(v.lows) * :dimension and v.upto >= 0
       and exists (select 1 from sessions s where s.no = v.session),
       v.lows, v.scales,
       (select coalesce(json_agg(i.key & 4294967295), '[]')::text from message_index i
        where i.key between v.session << 32 and (v.session << 32) + (min(v.upto, 16777215) << 8) + 255
          and ((i.key >> 5) & 7) < 6)
from vectors v where v.embedder = :embedder;

-- name: clear_index
delete from message_index;

-- name: set_automerge
select :pieces;

-- name: index_pieces
select 1;

-- name: merge_index
-- What waits in the list of what is new is merged by the server itself.
select 1;

-- name: check_index
select 1;

-- name: automerge
select 4;

-- name: count_indexable
select (select count(*) from messages where hidden is null or hidden = 'injected')
     + (select count(*) from sessions where title is not null);

-- name: balance_index
select (select count(*) from message_index),
       (select count(*) from messages where hidden is null or hidden = 'injected')
     + (select count(*) from sessions where title is not null),
       (select count(*) from backlog b
        join messages m on m.key between b.low and b.high and (m.hidden is null or m.hidden = 'injected'))
     + (select count(*) from backlog b join sessions s on s.no = b.low >> 32
        where b.low >> 8 = s.no << 24 and s.title is not null);

-- name: check_file
select 'ok';

-- name: add_to_backlog
insert into backlog (low, high, characters) values (:low, :high, :characters)
on conflict (low) do update set high = excluded.high, characters = excluded.characters;

-- name: drop_from_backlog
delete from backlog where low between :low and :high;

-- name: clear_backlog
delete from backlog;

-- name: backlog
select low, high, characters from backlog order by low;

-- name: is_backlog
select 1 from backlog where owner = :owner limit 1;

-- name: indexable_between
select key, convert_to(content, 'UTF8') from messages
where key between :low and :high and (hidden is null or hidden = 'injected') order by key;

-- name: title_at
select :low, convert_to(title, 'UTF8') from sessions where no = :high::bigint >> 32 and title is not null;

-- name: messages_from
select key, content from messages where key > :key and (hidden is null or hidden = 'injected') order by key limit :most;

-- name: titles
select no, owner, title from sessions where title is not null;

-- name: size_of_database
select pg_database_size(current_database());

-- name: hidden_messages
select count(*) from messages where hidden is not null and owner = :owner;

-- name: remove_orphans
delete from messages where (key >> 32) not in (select no from sessions);

-- name: orphan_messages
select count(*) from messages where (key >> 32) not in (select no from sessions);

-- name: miscounted_sessions
select count(*) from (
    select s.no from sessions s
    left join messages m on m.key between (s.no << 32) and ((s.no + 1) << 32) - 1 and m.hidden is null
    group by s.no, s.message_count having count(m.key) <> s.message_count) miscounted;

-- name: recount_sessions
update sessions set message_count = (
    select count(*) from messages m
    where m.key between (sessions.no << 32) and ((sessions.no + 1) << 32) - 1 and m.hidden is null);

-- name: merge_event_index
select 1;

-- name: merge_hidden_event_index
select 1;

-- name: merge_node_index
select 1;

-- name: count_sessions_from
select count(*) from sessions where owner = :owner and no >= :no;

-- name: write_anew
-- Rows that were replaced go when the server tidies up, by itself or by whoever runs it: vacuum full.
select 1;

-- name: tidy_log
select 1;

-- name: index_event
insert into event_index (no, words) values (?, ?::tsvector)
on conflict (owner, no) do update set words = excluded.words;

-- name: unindex_event
delete from event_index where no = ?;

-- name: matching_events
select no from matching_words('event_index', :match::tsquery, :most, false) no;

-- name: newest_matching_events
select no from matching_words('event_index', :match::tsquery, :most, true) no;

-- name: index_hidden_event
insert into hidden_event_index (no, words) values (?, ?::tsvector)
on conflict (owner, no) do update set words = excluded.words;

-- name: unindex_hidden_event
delete from hidden_event_index where no = ?;

-- name: any_hidden_event
select no from hidden_event_index limit 1;

-- name: some_with_words
select m.ordinality - 1,
       (select coalesce(json_agg(no), '[]')::text
        from some_matching_words('event_index', m.match, :project, :looked_at, :most) no)
from unnest(:matches::tsquery[]) with ordinality m (match, ordinality) order by 1;

-- name: some_hidden_with_words
select m.ordinality - 1,
       (select coalesce(json_agg(no), '[]')::text
        from some_matching_words('hidden_event_index', m.match, :project, :looked_at, :most) no)
from unnest(:matches::tsquery[]) with ordinality m (match, ordinality) order by 1;

-- name: newest_event_row
-- Its last column tells whether the row is still the one that it was.
select no, id, xmin::text from events where owner = :owner order by no desc limit 1;

-- name: events_from
-- An event and all that were written since; of bookkeeping only that there is some.
select no, id, author, type, project, status, hidden_by, superseded_by,
       case when bookkeeping = 0 then body else '' end, xmin::text
from events where owner = :owner and no >= :first order by no;

-- name: index_node
insert into node_index (no, words) values (?, ?::tsvector)
on conflict (owner, no) do update set words = excluded.words;

-- name: unindex_node
delete from node_index where no = ?;

-- name: matching_nodes
select no from matching_words('node_index', :match::tsquery, :most, false) no;

-- name: clear_event_index
delete from event_index;

-- name: clear_hidden_event_index
delete from hidden_event_index;

-- name: clear_node_index
delete from node_index;

-- name: widen_cache
select 1;

-- name: narrow_cache
select 1;

-- name: changes_so_far
-- Stays the same as long as nobody writes to any database of the server.
select pg_snapshot_xmax(pg_current_snapshot())::text;

-- name: proposals_of_other_runs
-- First those that cite the message, of which there are few.
with cited as materialized (
    select event from citations where owner = :owner and session = :session and message = :message)
select e.id from cited c join events e on e.owner = :owner and e.no = c.event
where e.project = :project and e.author = 'dream' and json_extract(e.body, '$.text') = :text
  and json_extract(e.body, '$.refs.messages[0].session') = :session
  and json_extract(e.body, '$.refs.messages[0].id') = (:message::bigint)::text
  and json_extract(e.body, '$.status') = 'suggested' and json_extract(e.body, '$.meta.dream.run') not in ('', :run)
order by e.id;

-- name: citations_by_events
select e.no, (s.no << 24) | c.message, e.superseded_by is null from jsonb_array_elements_text(:events::jsonb) j
join events e on e.no = j.value::bigint and e.owner = :owner and e.hidden_by is null and e.status <> 'retracted'
join citations c on c.owner = e.owner and c.event = e.no
join sessions s on s.owner = :owner and s.id = c.session;

-- name: told_events
select id, type, status, ts_ms, coalesce(session, json_extract(body, '$.refs.messages[0].session'), ''),
       json_extract(body, '$.text'), json_extract(body, '$.trust'),
       json_extract(body, '$.confidence')::double precision, json_extract(body, '$.meta.alternatives')
from events
where owner = :owner and project = :project and bookkeeping = 0 and hidden_by is null and superseded_by is null
  and status <> 'retracted' and type = any(array(select jsonb_array_elements_text(:types::jsonb)))
order by ts_ms desc, id desc limit :most;

-- name: memory_weights
select id, json_extract(body, '$.weight')::double precision from memories
where owner = :owner and id = any(array(select jsonb_array_elements_text(:ids::jsonb)));

-- name: find_api_key
-- Past the owners, by the function that gives the row of one id and no other.
select owner, id, name, project, scopes, made_ms, expires_ms, revoked_ms, used_ms, replaced_by, digest
from noctuary_key(:id);

-- name: dream_records_waiting
-- Without the list by which SQLite finds its index: where nothing is known of a table yet, the server reads such a list
-- once for each row.
select d.session, d.epoch, d.status, d."trigger", d.first_id, d.last_id, d.recorded_ms, d.attempts, d.next_attempt_ms,
       d.last_attempt_ms, d.completed_ms, d.lease_owner, d.lease_ms, d.run, d.artifacts, d.failure, d.held
from dream_sessions d left join sessions s on s.owner = d.owner and s.id = d.session
where d.owner = :owner and d.status <> 'completed'
  and (d.status <> 'running' or coalesce(d.lease_ms, 0) not between :at_ms + 1 and :at_ms + 86400000)
  and (:is_asked <> 0 or (d.held = 0 and d.next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000))
order by coalesce(s.last_ms, d.recorded_ms), d.session, d.epoch limit :most;

-- name: sessions_waiting
select count(distinct session),
       count(distinct case when next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000 then session end),
       min(case when next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000 then recorded_ms end)
from dream_sessions
where owner = :owner and held = 0 and status <> 'completed'
  and (status <> 'running' or coalesce(lease_ms, 0) not between :at_ms + 1 and :at_ms + 86400000);

-- name: take_next_dream_record
-- The first of these that still waits is taken, passing over those that others are taking: nobody waits for anybody.
with wanted as materialized (
    select value ->> 0 as session, (value ->> 1)::bigint as epoch, ordinality
    from jsonb_array_elements(:wanted::jsonb) with ordinality),
first as (
    select d.session, d.epoch, w.ordinality, case when d.status = 'running' then d.run end as killed_run
    from wanted w join dream_sessions d on d.owner = :owner and d.session = w.session and d.epoch = w.epoch
    where d.status <> 'completed'
      and (d.status <> 'running' or coalesce(d.lease_ms, 0) not between :at_ms + 1 and :at_ms + 86400000)
      and (:is_asked <> 0 or (d.held = 0 and d.next_attempt_ms not between :at_ms + 1 and :at_ms + 86400000))
    order by w.ordinality
    limit 1 for update of d skip locked)
update dream_sessions d set
    status = 'running', last_attempt_ms = :at_ms, lease_owner = :run, lease_ms = :until_ms, run = :run,
    attempts = d.attempts + case when first.killed_run is null then 0 else 1 end,
    held = case when d.attempts + case when first.killed_run is null then 0 else 1 end >= :most_attempts then 1
                else d.held end
from first where d.owner = :owner and d.session = first.session and d.epoch = first.epoch
returning d.session, d.epoch, d.status, d."trigger", d.first_id, d.last_id, d.recorded_ms, d.attempts,
    d.next_attempt_ms, d.last_attempt_ms, d.completed_ms, d.lease_owner, d.lease_ms, d.run, d.artifacts, d.failure,
    d.held, first.killed_run, first.ordinality;

-- name: begin_moving
-- Until the end of the transaction.
select set_config('noctuary.moving', 'yes', true);

-- name: take_turn_in_team
-- Until the end of the transaction.  Owners do not wait for each other, so what several may change at once needs it.
select set_config('lock_timeout', '30s', true), pg_advisory_xact_lock(hashtext('noctuary.teams'), hashtext(:team)),
       set_config('lock_timeout', '0', true);

-- name: unguarded_tables
-- Tables with owners in them whose rows are shown to everybody, for whoever this connection acts as.
select c.relname from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner' and not a.attisdropped
where c.relnamespace = 'noctuary'::regnamespace and c.relkind = 'r' and not row_security_active(c.oid)
order by 1;

-- name: extensions
-- Of each that we use its version here, the version that could be had, and whether it is in use.
select wanted.name, known.installed_version, known.default_version, wanted.is_used
from (values ('pg_trgm', to_regclass('messages_by_trigrams') is not null),
             ('btree_gin', to_regclass('node_index_owned') is not null),
             ('vector', to_regproc('compare_passages') is not null)) wanted (name, is_used)
left join pg_available_extensions known on known.name = wanted.name;

-- name: language_of_letters
select datctype::text from pg_database where datname = current_database();
