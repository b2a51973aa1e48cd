-- Whoever folds the journal notes what events cite and tells who listens, for all of them at once: a trigger made
-- SQLite copy each page that an event touched, 1,900 of them in a dream of 18 sessions.
drop trigger cite_messages;
drop trigger tell_event;
