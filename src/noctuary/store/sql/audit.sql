-- What an audit reads: all of one owner, once.

-- name: recalled_texts
select m.content
from sessions s join messages m on m.key between s.no * 4294967296 and s.no * 4294967296 + 4294967295
where s.owner = :owner and m.hidden = 'recalled';

-- name: audited_events
select id, project, body from events
where owner = :owner and (:project is null or project = :project) and id > :after
order by id limit :most;

-- name: audited_sessions
select no, id, coalesce(project, '') from sessions
where owner = :owner and (:project is null or project = :project)
order by no;

-- name: audited_messages
select key, kind, call_id, content, tool_calls from messages where key between :low and :high order by key;
