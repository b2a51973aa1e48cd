create table session (
  id text primary key, project_id text not null, parent_id text, slug text not null, directory text not null,
  title text not null, version text not null, share_url text, revert text, permission text,
  time_created integer not null, time_updated integer not null, time_compacting integer, time_archived integer
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

insert into session values
  ('ses_1', 'prj', null, 'calm-fox', '/home/ana/code/shop', 'Cents of an order', '1.2.3', null,
    '{"messageID":"msg_7","snapshot":"abc"}', null, 1772355600000, 1772355690000, null, null),
  ('ses_2', 'prj', 'ses_1', 'shy-owl', '/home/ana/code/shop', 'Child session - 2026-03-01T09:00:30.000Z', '1.2.3',
    null, null, null, 1772355630000, 1772355640000, null, null),
  ('ses_3', 'prj', null, 'empty', '/home/ana/code/shop', 'New session - 2026-03-01T10:00:00.000Z', '1.2.3', null,
    null, null, 1772359200000, 1772359200000, null, null);

insert into message values
  ('msg_1', 'ses_1', 1772355600000, 1772355600000,
    '{"role":"user","time":{"created":1772355600000},"agent":"build","model":{"providerID":"anthropic","modelID":"claude-sonnet-4-5"}}'),
  ('msg_2', 'ses_1', 1772355601000, 1772355620000,
    '{"role":"assistant","parentID":"msg_1","time":{"created":1772355601000,"completed":1772355620000},"modelID":"claude-sonnet-4-5","providerID":"anthropic","mode":"build","agent":"build","path":{"cwd":"/home/ana/code/shop","root":"/home/ana/code/shop"},"cost":0,"tokens":{"input":1,"output":2,"reasoning":0,"cache":{"read":0,"write":0}},"finish":"stop","mood":"calm"}'),
  ('msg_3', 'ses_1', 1772355640000, 1772355640000,
    '{"role":"user","time":{"created":1772355640000},"agent":"build","model":{"providerID":"anthropic","modelID":"claude-sonnet-4-5"}}'),
  ('msg_4', 'ses_1', 1772355641000, 1772355645000,
    '{"role":"assistant","parentID":"msg_3","summary":true,"time":{"created":1772355641000},"modelID":"claude-haiku-4-5","providerID":"anthropic","mode":"compaction","agent":"compaction","path":{"cwd":"/","root":"/"},"cost":0,"tokens":{}}'),
  ('msg_5', 'ses_1', 1772355650000, 1772355650000, '{"role":"oracle","time":{"created":1772355650000}}'),
  ('msg_6', 'ses_1', 1772355660000, 1772355660000, '{broken'),
  ('msg_7', 'ses_1', 1772355670000, 1772355670000, '{"role":"user","time":{"created":1772355670000}}'),
  ('msg_8', 'ses_2', 1772355630000, 1772355630000, '{"role":"user","time":{"created":1772355630000}}'),
  ('msg_9', 'ses_2', 1772355631000, 1772355631000, '{"role":"assistant","time":{"created":1772355631000},"modelID":"claude-haiku-4-5"}');

insert into part values
  ('prt_01', 'msg_1', 'ses_1', 1, 1, '{"type":"text","text":"Why is the total wrong by a cent? 🧾"}'),
  ('prt_02', 'msg_1', 'ses_1', 1, 1, '{"type":"text","synthetic":true,"text":"Called the Read tool with the following input: {\"filePath\":\"tax.py\"}"}'),
  ('prt_03', 'msg_1', 'ses_1', 1, 1, '{"type":"file","mime":"image/png","filename":"bill.png","url":"data:image/png;base64,AAAA"}'),
  ('prt_04', 'msg_2', 'ses_1', 1, 1, '{"type":"step-start","snapshot":"abc"}'),
  ('prt_05', 'msg_2', 'ses_1', 1, 1, '{"type":"reasoning","text":"Rounding, probably.","time":{"start":1772355602000,"end":1772355603000}}'),
  ('prt_06', 'msg_2', 'ses_1', 1, 1, '{"type":"tool","callID":"call_1","tool":"read","state":{"status":"completed","input":{"filePath":"tax.py"},"output":"def tax(x):\n    return round(x * .19)","title":"tax.py","metadata":{},"time":{"start":1772355604000,"end":1772355605000}}}'),
  ('prt_07', 'msg_2', 'ses_1', 1, 1, '{"type":"tool","callID":"call_2","tool":"bash","state":{"status":"error","input":{"command":"pytest","description":"Run tests"},"error":"Error: command not found","time":{"start":1772355606000,"end":1772355607000}}}'),
  ('prt_08', 'msg_2', 'ses_1', 1, 1, '{"type":"tool","callID":"call_3","tool":"task","state":{"status":"running","input":{"prompt":"Look for other places"},"time":{"start":1772355608000}}}'),
  ('prt_09', 'msg_2', 'ses_1', 1, 1, '{"type":"tool","callID":"call_4","tool":"write","state":{"status":"pending","input":{},"raw":"{\"fil"}}'),
  ('prt_10', 'msg_2', 'ses_1', 1, 1, '{"type":"text","text":"It rounds to whole euros.","time":{"start":1772355609000,"end":1772355610000},"tone":"dry"}'),
  ('prt_11', 'msg_2', 'ses_1', 1, 1, '{"type":"patch","hash":"abc","files":["tax.py"]}'),
  ('prt_12', 'msg_2', 'ses_1', 1, 1, '{"type":"hologram","text":"?"}'),
  ('prt_13', 'msg_2', 'ses_1', 1, 1, '{"type":"step-finish","reason":"stop","cost":0,"tokens":{}}'),
  ('prt_14', 'msg_3', 'ses_1', 1, 1, '{"type":"compaction","auto":true}'),
  ('prt_15', 'msg_3', 'ses_1', 1, 1, '{"type":"subtask","agent":"review","description":"Review","prompt":"Review the changes: ","command":"review"}'),
  ('prt_16', 'msg_4', 'ses_1', 1, 1, '{"type":"text","text":"We found that tax() rounds to whole euros."}'),
  ('prt_17', 'msg_7', 'ses_1', 1, 1, '{"type":"text","text":"This was taken back."}'),
  ('prt_18', 'msg_8', 'ses_2', 1, 1, '{"type":"text","text":"Look for other places"}'),
  ('prt_19', 'msg_9', 'ses_2', 1, 1, '{"type":"text","text":"There are none."}');
