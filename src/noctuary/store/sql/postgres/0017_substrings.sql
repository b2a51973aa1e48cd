-- What stands inside of words.  These read all messages of the owner; where the server has trigrams, `extensions/` puts
-- an index behind them and has them run as a role that may use it: comparing texts is nothing that the database trusts
-- not to tell a secret, so whoever is bound to rows of one owner never uses the index.  Hence both compare the owner.

create function within_text(part text) returns text immutable strict parallel safe language sql
return '%' || replace(replace(replace(lower(part collate "C"), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- To look into a text costs far more than the server believes.
create function containing_messages(
    part text, most bigint, voices bigint, picked bigint[], after_ms bigint, before_ms bigint
) returns setof bigint stable language plpgsql
set search_path = noctuary, pg_temp set cpu_operator_cost = 0.1 as $$
begin
    return query execute
        'select key from messages where lower(content) like $1 and owner = $7 and hidden is null
           and ($3 >> ((key >> 5) & 7)::int) & 1 = 1
           and ($4 is null or (key >> 32) = any($4))
           and ts_ms between $5 and $6 - 1
         order by key desc limit $2'
        using within_text(part), most, voices, picked, after_ms, before_ms, noctuary_owner();
end $$;

-- The same of any message, hidden ones too.
create function every_message_containing(part text) returns setof bigint stable language plpgsql
set search_path = noctuary, pg_temp set cpu_operator_cost = 0.1 as $$
begin
    return query execute 'select key from messages where lower(content) like $1 and owner = $2 order by key'
        using within_text(part), noctuary_owner();
end $$;

create function messages_beyond_ascii() returns setof bigint stable language plpgsql
set search_path = noctuary, pg_temp set cpu_operator_cost = 0.1 as $$
begin
    return query execute
        'select key from messages where octet_length(content) <> length(content) and owner = $1 order by key'
        using noctuary_owner();
end $$;
