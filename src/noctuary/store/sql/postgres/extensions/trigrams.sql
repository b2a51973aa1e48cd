-- An index of all that stands inside of words, and who may use it: functions that run as `noctuary_search` and compare
-- owners themselves.  Nobody logs in as that role, and whoever acts as `noctuary_member` cannot become it.
drop policy if exists for_searching on messages;
create policy for_searching on messages for select to noctuary_search using (true);
grant usage, create on schema noctuary to noctuary_search;
grant select on messages to noctuary_search;

create index messages_by_trigrams on messages using gin (lower(content) {schema}.gin_trgm_ops);
create index if not exists messages_other_letters on messages (key) where octet_length(content) <> length(content);

alter function containing_messages security definer;
alter function containing_messages owner to noctuary_search;
alter function every_message_containing security definer;
alter function every_message_containing owner to noctuary_search;
alter function messages_beyond_ascii security definer;
alter function messages_beyond_ascii owner to noctuary_search;
revoke create on schema noctuary from noctuary_search;
