-- What a session is told at its start is what was noted last in its project: found there, however much others hold.
create index events_by_project on events (owner, project, ts_ms) where bookkeeping = 0;
