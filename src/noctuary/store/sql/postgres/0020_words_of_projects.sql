-- Some events of a project that match, whichever are found first.  What there is of other projects is passed over, up to
-- a limit; where there is no other, nobody looks.
drop function if exists some_matching_words(text, tsquery, bigint);

create or replace function some_matching_words(
    index_name text, match tsquery, wanted text, looked_at bigint, most bigint
) returns setof bigint stable security definer language plpgsql set search_path = noctuary, pg_temp as $$
begin
    if index_name not in ('event_index', 'hidden_event_index') then
        raise exception 'no index %', index_name;
    end if;
    if not exists (select 1 from journals where owner = noctuary_owner() and project <> wanted) then
        return query execute format('select no from %I where words @@ $1 and owner = $2 limit $3', index_name)
            using match, noctuary_owner(), most;
        return;
    end if;
    return query execute format(
        'select i.no from (select no from %I where words @@ $1 and owner = $2 limit $3) i
         where exists (select 1 from events e where e.owner = $2 and e.no = i.no and e.project = $4)
         limit $5', index_name)
        using match, noctuary_owner(), looked_at, wanted, most;
end $$;
