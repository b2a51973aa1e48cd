-- What each transcript told, and what in it was new to its adapter: see importing/tally.py.
alter table places add column agent     plain  not null default '';    -- whose transcript it is; empty: not known
alter table places add column told      bigint not null default 0;     -- messages that it told
alter table places add column malformed bigint not null default 0;     -- records that could not be used
alter table places add column drift     plain  not null default '{}';  -- JSON: types and fields that were new

-- Whoever makes the tables is bound to rows of one owner as well, but for this.
alter table places no force row level security;
alter table sessions no force row level security;
update places set agent = known.agent, told = known.messages
from (select owner, source_path, max(agent) as agent, sum(message_count)::bigint as messages
      from sessions where agent is not null and source_path is not null group by owner, source_path) known
where known.owner = places.owner and known.source_path = places.path;
alter table places force row level security;
alter table sessions force row level security;
