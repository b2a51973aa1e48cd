-- The words alone, for a server that cannot know them by owner, or from which somebody took that away.
create index if not exists message_index_words on message_index using gin (words);
create index if not exists event_index_words on event_index using gin (words);
create index if not exists hidden_event_index_words on hidden_event_index using gin (words);
create index if not exists node_index_words on node_index using gin (words);
