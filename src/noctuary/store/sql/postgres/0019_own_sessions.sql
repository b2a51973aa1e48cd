-- How many sessions one owner has, and has from a number on, is asked by every search.
create index sessions_by_owner on sessions (owner, no);
