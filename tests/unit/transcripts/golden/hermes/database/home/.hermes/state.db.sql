create table sessions (
  id text primary key, source text not null, user_id text, model text, model_config text, system_prompt text,
  parent_session_id text, started_at real not null, ended_at real, end_reason text, message_count integer default 0,
  cwd text, git_branch text, title text, title_source text, rewind_count integer not null default 0
);
create table messages (
  id integer primary key autoincrement, session_id text not null, role text not null, content text, tool_call_id text,
  tool_calls text, tool_name text, timestamp real not null, token_count integer, finish_reason text, reasoning text,
  reasoning_content text, observed integer default 0, _compressed_summary integer not null default 0,
  active integer not null default 1, compacted integer not null default 0
);
create index idx_messages_session_id on messages (session_id, id);

insert into sessions (id, source, model, model_config, parent_session_id, started_at, end_reason, cwd, git_branch, title, title_source) values
  ('20260301_090000_aa', 'cli', 'claude-sonnet-4-5', '{}', null, 1772355600.25, 'compression', '/home/ana/code/shop', 'main', 'Cents of an order', 'llm'),
  ('20260301_090030_bb', 'subagent', 'claude-haiku-4-5', '{"_delegate_from":"20260301_090000_aa","cwd":"/home/ana/code/shop"}', '20260301_090000_aa', 1772355630, null, null, null, null, null),
  ('20260301_090100_cc', 'cli', 'claude-sonnet-4-5', '{}', '20260301_090000_aa', 1772355660, null, '/home/ana/code/shop', null, 'Cents of an order #2', 'derived'),
  ('20260301_090200_dd', 'cli', 'claude-sonnet-4-5', '{"_branched_from":"20260301_090000_aa"}', '20260301_090000_aa', 1772355720, null, '/home/ana/code/shop', null, 'In cents', 'user'),
  ('20260301_100000_ee', 'cron', 'claude-sonnet-4-5', null, null, 1772359200, null, null, null, null, null);

insert into messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning, active, compacted, _compressed_summary) values
  ('20260301_090000_aa', 'session_meta', '{"model":"x"}', null, null, null, 1772355600.5, null, 1, 0, 0),
  ('20260301_090000_aa', 'user', 'Why is the total wrong by a cent? 🧾', null, null, null, 1772355601.5, null, 0, 1, 0),
  ('20260301_090000_aa', 'assistant', 'Let me look.', null, '[{"id":"call_1","call_id":"call_1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"tax.py\"}"}},{"id":"call_2","type":"function","function":{"name":"terminal","arguments":"{\"command\":\"pytest\",\"timeout\":60}"}}]', null, 1772355602.5, 'Rounding, probably.', 1, 0, 0),
  ('20260301_090000_aa', 'tool', 'def tax(x):
    return round(x * .19)', 'call_1', null, 'read_file', 1772355603.5, null, 1, 0, 0),
  ('20260301_090000_aa', 'tool', '{"error": "command not found"}', 'call_2', null, 'terminal', 1772355604.5, null, 1, 0, 0),
  ('20260301_090000_aa', 'user', 'This was taken back.', null, null, null, 1772355605.5, null, 0, 0, 0),
  ('20260301_090000_aa', 'assistant', 'It rounds to whole euros.', null, 'null', null, 1772355606.5, null, 1, 0, 0),
  ('20260301_090000_aa', 'user', char(1) || 'json:[{"type":"text","text":"And this bill?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]', null, null, null, 1772355607.5, null, 1, 0, 0),
  ('20260301_090000_aa', 'oracle', 'What is this?', null, null, null, 1772355608.5, null, 1, 0, 0),
  ('20260301_090030_bb', 'user', 'Look for other places', null, null, null, 1772355631, null, 1, 0, 0),
  ('20260301_090030_bb', 'assistant', 'There are none.', null, null, null, 1772355632, null, 1, 0, 0),
  ('20260301_090100_cc', 'user', '[CONTEXT COMPACTION — REFERENCE ONLY] We found that tax() rounds.', null, null, null, 1772355661, null, 1, 0, 0),
  ('20260301_090100_cc', 'user', '[System note: the tools were reloaded]', null, null, null, 1772355662, null, 1, 0, 0),
  ('20260301_090100_cc', 'user', 'Fix it.', null, null, null, 1772355663, null, 1, 0, 0),
  ('20260301_090200_dd', 'system', 'You are Hermes.', null, null, null, 1772355720, null, 1, 0, 0),
  ('20260301_090200_dd', 'user', 'Use cents instead.', null, null, null, 1772355721, null, 1, 0, 0),
  ('20260301_090200_dd', 'user', 'We found that tax() rounds to whole euros.', null, null, null, 1772355722, null, 1, 0, 1);
