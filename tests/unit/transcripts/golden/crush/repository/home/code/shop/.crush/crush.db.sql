create table sessions (
  id text primary key, parent_session_id text, title text not null, message_count integer not null default 0,
  prompt_tokens integer not null default 0, completion_tokens integer not null default 0, cost real not null default 0,
  updated_at integer not null, created_at integer not null, summary_message_id text, todos text
);
create table messages (
  id text primary key, session_id text not null, role text not null, parts text not null default '[]', model text,
  created_at integer not null, updated_at integer not null, finished_at integer, provider text,
  is_summary_message integer default 0 not null
);
create index idx_messages_session_id on messages (session_id);

insert into sessions values
  ('s1', null, 'Cents of an order', 7, 1, 1, 0, 1772355690, 1772355600, 'm6', '[]'),
  ('m2$$call_3', 's1', 'New Agent Session', 2, 0, 0, 0, 1772355640, 1772355630, null, null),
  ('title-s1', 's1', 'Generate a title', 0, 0, 0, 0, 1772355600, 1772355600, null, null);

insert into messages (id, session_id, role, parts, model, created_at, updated_at, provider, is_summary_message) values
  ('m1', 's1', 'user', '[{"type":"text","data":{"text":"Why is the total wrong by a cent? 🧾"}},{"type":"binary","data":{"Path":"bill.png","MIMEType":"image/png","Data":"AAAA"}},{"type":"finish","data":{"reason":"stop","time":0}}]', '', 1772355600, 1772355600, null, 0),
  ('m2', 's1', 'assistant', '[{"type":"reasoning","data":{"thinking":"Rounding, probably.","signature":"s","started_at":1772355602,"finished_at":1772355603}},{"type":"text","data":{"text":"Let me look.","tone":"dry"}},{"type":"tool_call","data":{"id":"call_1","name":"view","input":"{\"file_path\":\"tax.py\"}","provider_executed":false,"finished":true}},{"type":"tool_call","data":{"id":"call_2","name":"bash","input":"{\"command\":\"pytest\",\"description\":\"Run tests\"}","finished":true}},{"type":"tool_call","data":{"id":"call_3","name":"agent","input":"{\"prompt\":\"Look for other places\"}","finished":true}},{"type":"finish","data":{"reason":"tool_use","time":1772355604}}]', 'claude-sonnet-4-5', 1772355601, 1772355604, 'anthropic', 0),
  ('m3', 's1', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"call_1","name":"view","content":"def tax(x):\n    return round(x * .19)","data":"","mime_type":"","metadata":"{}","is_error":false}},{"type":"tool_result","data":{"tool_call_id":"call_2","name":"bash","content":"command not found","is_error":true}}]', '', 1772355605, 1772355605, null, 0),
  ('m4', 's1', 'assistant', '[{"type":"text","data":{"text":"It rounds to whole euros."}},{"type":"hologram","data":{}},{"type":"finish","data":{"reason":"end_turn","time":1772355610}}]', 'claude-sonnet-4-5', 1772355609, 1772355610, 'anthropic', 0),
  ('m5', 's1', 'user', '[{"type":"text","data":{"text":"Go on until all is done.","hidden":true}},{"type":"shell_command","data":{"command":"git status","output":"clean","exit_code":0}}]', '', 1772355640, 1772355640, null, 0),
  ('m6', 's1', 'assistant', '[{"type":"text","data":{"text":"We found that tax() rounds to whole euros."}}]', 'claude-haiku-4-5', 1772355650, 1772355650, 'anthropic', 1),
  ('m7', 's1', 'assistant', '{broken', '', 1772355660, 1772355660, null, 0),
  ('a1', 'm2$$call_3', 'user', '[{"type":"text","data":{"text":"Look for other places"}}]', '', 1772355630, 1772355630, null, 0),
  ('a2', 'm2$$call_3', 'assistant', '[{"type":"text","data":{"text":"There are none."}}]', 'claude-haiku-4-5', 1772355631, 1772355631, null, 0);
