-- As the first versions had it.
create table sessions (
  id text primary key, source text not null, model text, parent_session_id text, started_at real not null,
  ended_at real, title text
);
create table messages (
  id integer primary key autoincrement, session_id text not null, role text not null, content text, tool_call_id text,
  tool_calls text, tool_name text, timestamp real not null, reasoning text
);
insert into sessions values ('s1', 'telegram', 'hermes-4', null, 1754000000, null, null);
insert into messages (session_id, role, content, timestamp) values
  ('s1', 'user', 'Wo liegen die Sitzungen?', 1754000001), ('s1', 'assistant', 'In Redis.', 1754000002);
