create table ItemTable (key text unique on conflict replace, value blob);
create table cursorDiskKV (key text unique on conflict replace, value blob);
insert into ItemTable values ('composer.composerData', '{"allComposers":[{"composerId":"c2","type":"head"}]}');
