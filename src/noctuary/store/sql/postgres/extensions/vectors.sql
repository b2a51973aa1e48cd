-- The vectors of each passage for itself, so that the server can compare them.  What counts are the rows of `vectors`,
-- as everywhere: these follow from them, and hold the same numbers, which are too small for `halfvec` to round any.
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

create function passages_of(vector_row vectors, first integer)
returns setof passages stable language sql
set search_path = noctuary, {schema}, pg_temp as $$
    select ($1).embedder, ($1).session, p.place, ($1).owner, whole.low, factor.scale, (
        select array_agg((get_byte(($1).codes, b) # 128) - 128 order by b)
        from generate_series(p.place * e.dimension, (p.place + 1) * e.dimension - 1) b)::halfvec
    from embedders e
    cross join generate_series($2, length(($1).lows) / 4 - 1) as p (place)
    cross join lateral (select get_byte(($1).lows, 4 * p.place) + (get_byte(($1).lows, 4 * p.place + 1)::bigint << 8)
        + (get_byte(($1).lows, 4 * p.place + 2)::bigint << 16) + (get_byte(($1).lows, 4 * p.place + 3)::bigint << 24)
        as low) whole
    cross join lateral (select get_byte(($1).scales, 4 * p.place) + (get_byte(($1).scales, 4 * p.place + 1) << 8)
        + ((get_byte(($1).scales, 4 * p.place + 2) & 127) << 16) as fraction,
        (get_byte(($1).scales, 4 * p.place + 2) >> 7) + ((get_byte(($1).scales, 4 * p.place + 3) & 127) << 1)
        as exponent, get_byte(($1).scales, 4 * p.place + 3) >> 7 as sign) bits
    cross join lateral (select case
        when bits.exponent = 255 then 'nan'::real
        when bits.exponent = 0 then ((1 - 2 * bits.sign) * bits.fraction * power(2::double precision, -149))::real
        else ((1 - 2 * bits.sign) * (bits.fraction + 8388608) * power(2::double precision, bits.exponent - 150))::real
        end as scale) factor
    where e.no = ($1).embedder and e.dimension between 1 and 16000
      and length(($1).lows) % 4 = 0 and length(($1).scales) = length(($1).lows)
      and length(($1).codes) = length(($1).lows) / 4 * e.dimension
$$;

-- A session that grew has its first vectors still; all else is made anew.
create function follow_vectors() returns trigger language plpgsql
set search_path = noctuary, {schema}, pg_temp as $$
declare
    first integer := 0;
begin
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
create trigger follow_vectors after insert or update or delete on vectors
for each row execute function follow_vectors();

alter table vectors no force row level security;  -- for a moment, to see everybody's
alter table embedders no force row level security;
insert into passages select made.* from vectors v cross join lateral passages_of(v, 0) made;
alter table vectors force row level security;
alter table embedders force row level security;
select noctuary_guard('passages');

-- How alike all passages are to a question, of all sessions or of some: their keys and values, one after the other.
create function compare_passages(
    of_embedder bigint, length integer, question text, factor real, picked bigint[],
    out keys bytea, out alike bytea
) stable language plpgsql set search_path = noctuary, {schema}, pg_temp as $$
begin
    select string_agg(int8send((session << 32) | low), ''),
           string_agg(float8send(-(codes <#> question::halfvec) * (scale * factor)), '')
    into keys, alike
    from passages
    where embedder = of_embedder and owner = noctuary_owner() and (picked is null or session = any(picked))
      and vector_dims(codes) = length and scale between 0 and 1;
end $$;
