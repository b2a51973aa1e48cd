-- What was done to nobody's share has no publisher, which is not whoever has no name: strangers are looked up as that.
drop policy to_see on share_history;
create policy to_see on share_history for select using (
    owner = (select noctuary_owner()) or (publisher <> '' and publisher = (select noctuary_owner()))
    or team in (select noctuary_teams(true)) or (is_open = 1 and team in (select noctuary_teams(false))));
