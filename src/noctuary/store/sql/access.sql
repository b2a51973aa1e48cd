-- Queries of keys of the API, and what was done with them.

-- name: add_api_key
insert into api_keys (owner, id, name, digest, project, scopes, made_ms, expires_ms)
values (:owner, :id, :name, :digest, :project, :scopes, :made_ms, :expires_ms);

-- name: find_api_key
-- By its id alone, since the key must say whose it is; PostgreSQL has a way of its own past the owners.
select owner, id, name, project, scopes, made_ms, expires_ms, revoked_ms, used_ms, replaced_by, digest
from api_keys where id = :id;

-- name: api_keys
select owner, id, name, project, scopes, made_ms, expires_ms, revoked_ms, used_ms, replaced_by
from api_keys where owner = :owner order by made_ms, id;

-- name: revoke_api_key
update api_keys set revoked_ms = :at_ms where owner = :owner and id = :id and revoked_ms is null returning id;

-- name: replace_api_key
-- The old key ends with its grace, or before if it would have ended before; only one key follows another.
update api_keys set
    replaced_by = :replaced_by,
    expires_ms = case when expires_ms < :until_ms then expires_ms else :until_ms end
where owner = :owner and id = :id and replaced_by is null and revoked_ms is null
  and (expires_ms is null or expires_ms > :now_ms)
returning id;

-- name: note_use_of_api_key
update api_keys set used_ms = :at_ms where owner = :owner and id = :id and (used_ms is null or used_ms < :before_ms);

-- name: add_to_audit_log
insert into audit_log (owner, id, at_ms, key_id, verb, path, status) values (?, ?, ?, ?, ?, ?, ?);

-- name: audit_log
select owner, id, at_ms, key_id, verb, path, status from audit_log
where owner = :owner and (:key_id is null or key_id = :key_id)
order by id desc limit :most;

-- name: forget_old_audits
delete from audit_log where owner = :owner and at_ms < :before_ms;

-- name: forget_surplus_audits
delete from audit_log
where owner = :owner
  and id <= (select id from audit_log where owner = :owner order by id desc limit 1 offset :most);
