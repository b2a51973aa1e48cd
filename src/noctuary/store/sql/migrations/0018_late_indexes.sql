-- Indexes that were written into earlier migrations when there were databases already which had seen these.

create index if not exists events_by_successor on events (superseded_by) where superseded_by is not null;
create index if not exists dream_runs_by_start on dream_runs (owner, started_ms);
create index if not exists dream_runs_being_undone on dream_runs (status) where status = 'undoing';
create index if not exists memories_stale on memories (owner, project, weight desc, id) where verified = 'stale';
create index if not exists memories_verified on memories (project, owner) where verified = 'ok';
drop index memories_by_topic;
create index memories_by_topic on memories (owner, project, topic, status, pinned desc, weight desc, id);
