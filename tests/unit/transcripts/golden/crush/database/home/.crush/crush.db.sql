-- As the first versions had it: no provider, no mark of a summary, parts as bytes, times in milliseconds.
create table sessions (
  id text primary key, parent_session_id text, title text not null, message_count integer not null default 0,
  prompt_tokens integer not null default 0, completion_tokens integer not null default 0, cost real not null default 0,
  updated_at integer not null, created_at integer not null
);
create table messages (
  id text primary key, session_id text not null, role text not null, parts blob not null default '[]', model text,
  created_at integer not null, updated_at integer not null, finished_at integer
);
insert into sessions values ('s1', null, '', 2, 1, 1, 0, 1754000003000, 1754000000000);
insert into messages values
  ('m1', 's1', 'user', cast('[{"type":"text","data":{"text":"<system-reminder>Tidy.</system-reminder>\nWo liegen die Sitzungen?"}}]' as blob), null, 1754000001000, 1754000001000, null),
  ('m2', 's1', 'assistant', '[{"type":"text","text":"In Redis."}]', 'gpt-5', 1754000002000, 1754000003000, 1754000003000);
