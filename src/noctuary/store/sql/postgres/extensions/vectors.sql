-- The vectors of each passage for itself, so that the server can compare them.  What counts are the rows of `vectors`,
-- as everywhere: these follow from them, and hold the same numbers, which are too small for `halfvec` to round any.
drop table if exists passages cascade;  -- as they are left where somebody took the extension away
create table passages (
    embedder bigint  not null,
    session  bigint  not null,
    place    integer not null,               -- among the vectors of the session, from 0
    owner    plain   not null,
    low      bigint  not null,               -- with the session the key of the message
    scale    real    not null,
    codes    {schema}.halfvec not null,
    primary key (embedder, session, place)
);

create or replace function four_bytes(bytes bytea) returns bigint immutable strict parallel safe language sql
return get_byte(bytes, 0) + (get_byte(bytes, 1) << 8) + (get_byte(bytes, 2) << 16) + (get_byte(bytes, 3)::bigint << 24);

-- The vectors of a row from a place on; none if they do not add up.  Bytes are taken out one vector at a time, since
-- each look at a long text of bytes costs as much as all of it.
create function passages_of(vector_row vectors, first integer)
returns table (embedder bigint, session bigint, place integer, owner text, low bigint, scale real, codes {schema}.halfvec)
stable language plpgsql set search_path = noctuary, {schema}, pg_temp as $$
declare
    wide integer := (select e.dimension from embedders e where e.no = vector_row.embedder and e.dimension <= 16000);
    lows bytea := vector_row.lows;
    scales bytea := vector_row.scales;
    every bytea := vector_row.codes;
    piece bytea;
    bits bigint;
begin
    if wide is null or wide < 1 or length(lows) % 4 <> 0 or length(scales) <> length(lows)
       or length(every) <> length(lows) / 4 * wide then
        return;
    end if;
    embedder := vector_row.embedder;
    session := vector_row.session;
    owner := vector_row.owner;
    for at in first .. length(lows) / 4 - 1 loop
        place := at;
        low := four_bytes(substr(lows, 4 * at + 1, 4));
        bits := four_bytes(substr(scales, 4 * at + 1, 4));
        scale := (1 - 2 * (bits >> 31)) * case (bits >> 23) & 255
            when 255 then 'nan'
            when 0 then (bits & 8388607) * power(2::double precision, -149)
            else ((bits & 8388607) + 8388608) * power(2::double precision, ((bits >> 23) & 255) - 150) end;
        piece := substr(every, at * wide + 1, wide);
        codes := array(select (get_byte(piece, b) # 128) - 128 from generate_series(0, wide - 1) b);
        return next;
    end loop;
end $$;

-- A session that grew has its first vectors still; all else is made anew.
create or replace function follow_vectors() returns trigger language plpgsql
set search_path = noctuary, {schema}, pg_temp as $$
declare
    first integer := 0;
begin
    if to_regproc('passages_of') is null then  -- somebody took the extension away, and so its types
        return null;
    end if;
    if tg_op = 'UPDATE' and new.embedder = old.embedder and new.session = old.session and new.owner = old.owner
       and substr(new.lows, 1, length(old.lows)) = old.lows and substr(new.scales, 1, length(old.scales)) = old.scales
       and substr(new.codes, 1, length(old.codes)) = old.codes then
        select count(*) into first from passages where embedder = new.embedder and session = new.session;
        first := case when first * 4 = length(old.lows) then first else 0 end;
    end if;
    if tg_op <> 'INSERT' and first = 0 then
        delete from passages where embedder = old.embedder and session = old.session;
    end if;
    if tg_op <> 'DELETE' then
        insert into passages select * from passages_of(new, first);
    end if;
    return null;
end $$;
create or replace trigger follow_vectors after insert or update or delete on vectors
for each row execute function follow_vectors();

alter table vectors no force row level security;  -- for a moment, to see everybody's
alter table embedders no force row level security;
insert into passages select made.* from vectors v cross join lateral passages_of(v, 0) made;
alter table vectors force row level security;
alter table embedders force row level security;
select noctuary_guard('passages');

-- How alike all passages are to a question, of all sessions or of some: their keys and values, one after the other.
-- Where somebody takes the extension away, this goes with its types, which tells that nothing is compared here.
create function compare_passages(
    of_embedder bigint, question real[], factor real, picked bigint[], as_kept {schema}.halfvec default null,
    out keys bytea, out alike bytea
) stable language plpgsql set search_path = noctuary, {schema}, pg_temp as $$
begin
    as_kept := question;
    select string_agg(int8send((session << 32) | low), ''),
           string_agg(float8send(-(codes <#> as_kept) * (scale * factor)), '')
    into keys, alike
    from passages
    where embedder = of_embedder and owner = noctuary_owner() and (picked is null or session = any(picked))
      and vector_dims(codes) = vector_dims(as_kept) and scale between 0 and 1;
end $$;
