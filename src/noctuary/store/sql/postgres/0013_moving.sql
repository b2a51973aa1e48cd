-- Whoever moves a memory brings along what its owner is in teams, without anybody to invite them once more.  The setting
-- holds for one transaction, and lets an owner's own rows through, no others: see moving/.
do $$
declare
    name text;
begin
    foreach name in array array['teams', 'team_members', 'shares', 'share_reviews', 'share_history'] loop
        execute format('create policy to_move_in on %I for insert with check (owner = (select noctuary_owner())'
                       ' and current_setting(''noctuary.moving'', true) = ''yes'')', name);
        execute format('create policy to_move_out on %I for select using (owner = (select noctuary_owner())'
                       ' and current_setting(''noctuary.moving'', true) = ''yes'')', name);
    end loop;
end $$;
