-- Queries that only SQLite runs: the full-text index and the file's own health.

-- name: index_message
insert into message_index (rowid, text) values (?, ?);

-- name: unindex_message
delete from message_index where rowid = ?;

-- name: matching
-- Keys of what matches, newest first; as one JSON list, because handing thousands of rows to Python one by one costs
-- more than finding them.
select json_group_array(rowid) from (
    select rowid from message_index where message_index match :match and rowid < :below
    order by rowid desc limit :most);

-- name: matching_within
-- The same, only of some voices and in some sessions.
select json_group_array(rowid) from (
    select rowid from message_index
    where message_index match :match and rowid < :below
      and ((:voices >> ((rowid >> 5) & 7)) & 1)
      and (:picked is null or (rowid >> 32) in (select value from json_each(:picked)))
      and (not :timed
           or coalesce((select ts_ms from messages where key = message_index.rowid), :after_ms)
              between :after_ms and :before_ms - 1)
    order by rowid desc limit :most);

-- name: printed_before
-- Of the owner's newest messages that match, which are so many at most, those that a tool printed in a project before
-- a time; what others keep in the same file hides none of them.  And how many match, if no more do.
with newest as materialized (
    select rowid as key from message_index
    where message_index match :match and rowid < :below
      and exists (select 1 from sessions s where s.no = message_index.rowid >> 32 and s.owner = :owner)
    order by rowid desc limit :looked_at)
select (
    select json_group_array(key) from (
        select i.key from newest i
        where ((i.key >> 5) & 7) = :voice
          and exists (select 1 from sessions s where s.no = i.key >> 32 and coalesce(s.project, '') = :project)
          and exists (select 1 from messages m where m.key = i.key and m.ts_ms < :before_ms)
        order by i.key desc limit :most)),
    (select count(*) from newest),
    (select count(*) from newest where key < :since);

-- name: keys_at
-- A position is a key without voice and length.  The index's own table of sizes is small and has only what is indexed.
select d.id from json_each(:positions) p
join message_index_docsize d on d.id between p.value << 8 and (p.value << 8) | 255;

-- name: vectors_beside_index
-- Of each session whether its vectors add up, the messages they are of, and as one JSON list those the index has that
-- they should be of: up to the same place, and of voices that a model is given.  Reads no codes and no text.
select v.session,
       typeof(v.lows) = 'blob' and typeof(v.scales) = 'blob' and typeof(v.codes) = 'blob' and length(v.lows) % 4 = 0
       and length(v.lows) = length(v.scales) and length(v.codes) * 4 = length(v.lows) * :dimension
       and typeof(v.upto) = 'integer' and v.upto >= 0 and exists (select 1 from sessions s where s.no = v.session),
       cast(v.lows as blob),
       cast(v.scales as blob),
       (select json_group_array(d.id & 0xffffffff) from message_index_docsize d
        where d.id between v.session << 32 and (v.session << 32) + (min(v.upto, 0xffffff) << 8) + 255
          and ((d.id >> 5) & 7) < 6)
from vectors v where v.embedder = :embedder;

-- name: clear_index
insert into message_index (message_index) values ('delete-all');

-- name: set_automerge
insert into message_index (message_index, rank) values ('automerge', :pieces);

-- name: index_pieces
select count(distinct segid) from message_index_idx;

-- name: merge_index
insert into message_index (message_index) values ('optimize');

-- name: check_index
insert into message_index (message_index) values ('integrity-check');

-- name: automerge
select coalesce((select v from message_index_config where k = 'automerge'), 4);

-- name: count_indexable
select (select count(*) from messages where hidden is null or hidden = 'injected')
     + (select count(*) from sessions where title is not null);

-- name: balance_index
-- What is indexed, what should be, and what of that waits; of one moment, since another process may be at it.
select (select count(*) from message_index_docsize),
       (select count(*) from messages where hidden is null or hidden = 'injected')
     + (select count(*) from sessions where title is not null),
       (select count(*) from backlog b
        join messages m on m.key between b.low and b.high and (m.hidden is null or m.hidden = 'injected'))
     + (select count(*) from backlog b join sessions s on s.no = b.low >> 32
        where b.low >> 8 = s.no << 24 and s.title is not null);

-- name: check_file
pragma integrity_check(20);

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
select 1 from backlog b join sessions s on s.no = b.low >> 32 where s.owner = :owner limit 1;

-- name: indexable_between
select key, cast(content as blob) from messages
where key between :low and :high and (hidden is null or hidden = 'injected') order by key;

-- name: title_at
select :low, cast(title as blob) from sessions where no = :high >> 32 and title is not null;

-- name: messages_from
-- One page of messages for rebuilding the index.
select key, content from messages where key > :key and (hidden is null or hidden = 'injected') order by key limit :most;

-- name: titles
select no, owner, title from sessions where title is not null;

-- name: size_of_database
select page_count * page_size from pragma_page_count(), pragma_page_size();

-- name: hidden_messages
select count(*) from messages
where hidden is not null and (key >> 32) in (select no from sessions where owner = :owner);

-- name: remove_orphans
delete from messages where (key >> 32) not in (select no from sessions);

-- name: orphan_messages
select count(*) from messages where (key >> 32) not in (select no from sessions);

-- name: miscounted_sessions
select count(*) from (
    select s.no from sessions s
    left join messages m on m.key between (s.no << 32) and ((s.no + 1) << 32) - 1 and m.hidden is null
    group by s.no having count(m.key) <> s.message_count);

-- name: recount_sessions
update sessions set message_count = (
    select count(*) from messages m
    where m.key between (sessions.no << 32) and ((sessions.no + 1) << 32) - 1 and m.hidden is null);

-- name: merge_event_index
insert into event_index (event_index) values ('optimize');

-- name: merge_hidden_event_index
insert into hidden_event_index (hidden_event_index) values ('optimize');

-- name: merge_node_index
insert into node_index (node_index) values ('optimize');

-- name: count_sessions_from
-- Numbers are those of one owner, as long as there is only one: then nothing has to be counted.
select case when exists (select 1 from sessions where owner < :owner or owner > :owner)
    then (select count(*) from sessions where +owner = :owner and no >= :no)
    else (select coalesce(max(no), 0) - :no + 1 from sessions) end;

-- name: write_anew
-- The whole file, without a page that is not in use; not within a transaction.
vacuum;

-- name: tidy_log
pragma wal_checkpoint(truncate);

-- name: index_event
insert into event_index (rowid, text) values (?, ?);

-- name: unindex_event
delete from event_index where rowid = ?;

-- name: matching_events
-- FTS5's own rank tells how common words are with everybody; where there are others, each row is judged by itself.
select rowid from (
    select rowid from event_index
    where event_index match :match
      and not exists (select 1 from journals where owner < :owner)
      and not exists (select 1 from journals where owner > :owner)
    order by rank limit :most)
union all
select rowid from (
    select i.rowid, rank_by_itself(event_index) as goodness
    from event_index i join events t on t.no = i.rowid
    where event_index match :match and t.owner = :owner
      and (exists (select 1 from journals where owner < :owner) or exists (select 1 from journals where owner > :owner))
    order by goodness, i.rowid desc limit :most);

-- name: newest_matching_events
-- Where nobody else has any, nobody looks whose they are.
select rowid from event_index
where event_index match :match
  and ((not exists (select 1 from journals where owner < :owner)
        and not exists (select 1 from journals where owner > :owner))
       or exists (select 1 from events e where e.no = event_index.rowid and e.owner = :owner))
order by rowid desc limit :most;

-- name: index_hidden_event
insert or replace into hidden_event_index (rowid, text) values (?, ?);

-- name: unindex_hidden_event
delete from hidden_event_index where rowid = ?;

-- name: any_hidden_event
select rowid from hidden_event_index limit 1;

-- name: some_with_words
-- Of each expression some events of a project that match, whichever are found first; so a common word costs no more
-- than a rare one.  What there is of others is passed over, up to a limit; where there is no other, nobody looks.
select key, (select json_group_array(no) from (
                 select i.rowid as no
                 from (select rowid from event_index where event_index match value limit :looked_at) i
                 where not exists (select 1 from journals where owner <> :owner or project <> :project)
                    or exists (select 1 from events e
                               where e.no = i.rowid and e.owner = :owner and e.project = :project)
                 limit :most))
from json_each(:matches);

-- name: some_hidden_with_words
select key, (select json_group_array(no) from (
                 select i.rowid as no
                 from (select rowid from hidden_event_index where hidden_event_index match value limit :looked_at) i
                 where not exists (select 1 from journals where owner <> :owner or project <> :project)
                    or exists (select 1 from events e
                               where e.no = i.rowid and e.owner = :owner and e.project = :project)
                 limit :most))
from json_each(:matches);

-- name: index_node
insert into node_index (rowid, text) values (?, ?);

-- name: unindex_node
delete from node_index where rowid = ?;

-- name: matching_nodes
select rowid from (
    select rowid from node_index
    where node_index match :match
      and not exists (select 1 from journals where owner < :owner)
      and not exists (select 1 from journals where owner > :owner)
    order by rank limit :most)
union all
select rowid from (
    select i.rowid, rank_by_itself(node_index) as goodness
    from node_index i join nodes t on t.no = i.rowid
    where node_index match :match and t.owner = :owner
      and (exists (select 1 from journals where owner < :owner) or exists (select 1 from journals where owner > :owner))
    order by goodness, i.rowid desc limit :most);

-- name: clear_event_index
insert into event_index (event_index) values ('delete-all');

-- name: clear_hidden_event_index
insert into hidden_event_index (hidden_event_index) values ('delete-all');

-- name: clear_node_index
insert into node_index (node_index) values ('delete-all');

-- name: widen_cache
pragma cache_size = -65536;

-- name: narrow_cache
-- As every connection begins.
pragma cache_size = -16384;

-- name: changes_so_far
-- Two numbers that stay the same as long as nobody writes: others' commits, and rows that we changed.
select data_version, total_changes() from pragma_data_version();

-- name: begin_moving
select 1;

-- name: take_turn_in_team
-- Nobody else writes to the file anyway.
select 1;
