-- Words together with whose they are: who searches is led to their own rows alone, and not past those of all others.
create index message_index_owned on message_index using gin (owner, words);
create index event_index_owned on event_index using gin (owner, words);
create index hidden_event_index_owned on hidden_event_index using gin (owner, words);
create index node_index_owned on node_index using gin (owner, words);
drop index if exists message_index_words, event_index_words, hidden_event_index_words, node_index_words;
