create table sessions (
  id text primary key, name text not null default '', description text not null default '', user_set_name boolean,
  session_type text not null default 'user', working_dir text not null, created_at timestamp, updated_at timestamp,
  extension_data text default '{}', provider_name text, model_config_json text, parent_session_id text
);
create table messages (
  id integer primary key autoincrement, message_id text, session_id text not null, role text not null,
  content_json text not null, created_timestamp integer not null, timestamp timestamp, tokens integer, metadata_json text
);
create index idx_messages_session on messages (session_id);

insert into sessions (id, name, session_type, working_dir, created_at, updated_at, provider_name, model_config_json, parent_session_id) values
  ('20260301_1', 'Cents of an order', 'user', '/home/ana/code/shop', '2026-03-01 09:00:00', '2026-03-01 09:01:05', 'anthropic', '{"model_name":"claude-sonnet-4-5","max_tokens":null}', null),
  ('20260301_2', 'CLI Session', 'sub_agent', '/home/ana/code/shop', '2026-03-01 09:00:30', '2026-03-01 09:00:40', 'anthropic', '{"model_name":"claude-haiku-4-5"}', '20260301_1'),
  ('20260301_3', 'CLI Session', 'user', '/home/ana/code/shop', '2026-03-01 10:00:00', '2026-03-01 10:00:00', null, null, null);

insert into messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) values
  ('msg_1', '20260301_1', 'user', '[{"type":"text","text":"Why is the total wrong by a cent? 🧾"},{"type":"image","data":"AAAA","mimeType":"image/png"}]', 1772355600, '{"userVisible":true,"agentVisible":true}'),
  ('msg_2', '20260301_1', 'assistant', '[{"type":"thinking","thinking":"Rounding, probably.","signature":"s"},{"type":"text","text":"Let me look.","tone":"dry"},{"type":"toolRequest","id":"call_1","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"path":"tax.py"}}}},{"type":"toolRequest","id":"call_2","toolCall":{"status":"error","error":"-32603: no such tool"}}]', 1772355601, '{"userVisible":true,"agentVisible":true}'),
  ('msg_3', '20260301_1', 'user', '[{"type":"toolResponse","id":"call_1","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"def tax(x):\n    return round(x * .19)","annotations":{"audience":["assistant"]}},{"type":"text","text":"### tax.py","annotations":{"audience":["user"],"priority":0.2}}],"isError":false}}}]', 1772355602, '{"userVisible":true,"agentVisible":true}'),
  ('msg_4', '20260301_1', 'user', '[{"type":"toolResponse","id":"call_2","toolResult":{"status":"error","error":"-32603: no such tool"}}]', 1772355602, '{"userVisible":true,"agentVisible":true}'),
  ('msg_5', '20260301_1', 'assistant', '[{"type":"text","text":"It rounds to whole euros."},{"type":"hologram"},{"type":"systemNotification","notificationType":"inlineMessage","msg":"Compacting…"}]', 1772355605, null),
  ('msg_6', '20260301_1', 'user', '[{"type":"text","text":"We found that tax() rounds to whole euros."}]', 1772355610, '{"userVisible":false,"agentVisible":true}'),
  ('msg_7', '20260301_1', 'assistant', '[{"type":"text","text":"The previous message contains a summary that was prepared because a context limit was reached."}]', 1772355610, '{"userVisible":false,"agentVisible":true}'),
  ('msg_8', '20260301_1', 'user', '[{"type":"text","text":"<info-msg>\nIt is currently 2026-03-01 09:01:00\n</info-msg>\nFix it."}]', 1772355660, '{"userVisible":true,"agentVisible":true}'),
  ('msg_9', '20260301_1', 'user', '{broken', 1772355661, null),
  ('msg_a', '20260301_2', 'user', '[{"type":"text","text":"Look for other places"}]', 1772355630, null),
  ('msg_b', '20260301_2', 'assistant', '[{"type":"text","text":"There are none."}]', 1772355631, null);
