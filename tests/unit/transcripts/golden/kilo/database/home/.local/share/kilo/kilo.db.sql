create table session (
  id text primary key, project_id text not null, workspace_id text, parent_id text, slug text not null,
  directory text not null, title text not null, version text not null, share_url text, summary_additions integer,
  summary_deletions integer, summary_files integer, summary_diffs text, revert text, permission text,
  current_state text, recent_progress text, time_created integer not null, time_updated integer not null,
  time_compacting integer, time_archived integer
);
create table message (
  id text primary key, session_id text not null, time_created integer not null, time_updated integer not null,
  data text not null
);
create table part (
  id text primary key, message_id text not null, session_id text not null, time_created integer not null,
  time_updated integer not null, data text not null
);
create index message_session_time_created_id_idx on message (session_id, time_created, id);
create index part_session_idx on part (session_id);

insert into session (id, project_id, parent_id, slug, directory, title, version, current_state, time_created, time_updated)
values
  ('ses_k1', 'prj', null, 'calm-fox', '/home/ana/code/shop', 'Sessions move to SQLite', '7.6.2', 'idle',
    1772355600000, 1772355690000),
  ('ses_k2', 'prj', 'ses_k1', 'shy-owl', '/home/ana/code/shop', 'Child session - 2026-03-01T09:00:30.000Z', '7.6.2',
    null, 1772355630000, 1772355640000);

insert into message values
  ('msg_k1', 'ses_k1', 1772355600000, 1772355600000,
    '{"role":"user","time":{"created":1772355600000},"agent":"code","model":{"providerID":"kilo","modelID":"claude-sonnet-4-5"}}'),
  ('msg_k2', 'ses_k1', 1772355601000, 1772355620000,
    '{"role":"assistant","parentID":"msg_k1","time":{"created":1772355601000,"completed":1772355620000},"modelID":"claude-sonnet-4-5","providerID":"kilo","mode":"code","agent":"code","path":{"cwd":"/home/ana/code/shop","root":"/home/ana/code/shop"},"cost":0,"tokens":{"input":1,"output":2,"reasoning":0,"cache":{"read":0,"write":0}},"finish":"stop"}'),
  ('msg_k3', 'ses_k2', 1772355630000, 1772355630000, '{"role":"user","time":{"created":1772355630000}}'),
  ('msg_k4', 'ses_k2', 1772355631000, 1772355631000,
    '{"role":"assistant","time":{"created":1772355631000},"modelID":"claude-haiku-4-5"}');

insert into part values
  ('prt_k1', 'msg_k1', 'ses_k1', 1, 1, '{"type":"text","text":"Move the sessions to SQLite – please."}'),
  ('prt_k2', 'msg_k2', 'ses_k1', 1, 1, '{"type":"reasoning","text":"settings.py says where they are.","time":{"start":1772355602000,"end":1772355603000}}'),
  ('prt_k3', 'msg_k2', 'ses_k1', 1, 1, '{"type":"tool","callID":"call_1","tool":"edit","state":{"status":"completed","input":{"filePath":"settings.py","newString":"SESSIONS = \"sqlite\""},"output":"Edit applied.","title":"settings.py","metadata":{},"time":{"start":1772355604000,"end":1772355605000}}}'),
  ('prt_k4', 'msg_k2', 'ses_k1', 1, 1, '{"type":"text","text":"They are in SQLite now.","time":{"start":1772355609000,"end":1772355610000}}'),
  ('prt_k5', 'msg_k3', 'ses_k2', 1, 1, '{"type":"text","text":"Look for other uses of Redis"}'),
  ('prt_k6', 'msg_k4', 'ses_k2', 1, 1, '{"type":"text","text":"There are none."}');
