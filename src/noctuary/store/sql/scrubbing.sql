-- Texts that are stored in rows, by what tells the rows of an owner apart, and a way to put others in their place.

-- name: texts_of_places
select path, error, drift from places where owner = :owner;

-- name: set_texts_of_places
update places set error = ?, drift = ? where owner = ? and path = ?;

-- name: texts_of_sessions
select id, preview, cwd, branch from sessions where owner = :owner;

-- name: set_texts_of_sessions
update sessions set preview = ?, cwd = ?, branch = ? where owner = ? and id = ?;

-- name: texts_of_dream_sessions
select session, epoch, failure from dream_sessions where owner = :owner;

-- name: set_texts_of_dream_sessions
update dream_sessions set failure = ? where owner = ? and session = ? and epoch = ?;

-- name: texts_of_dream_runs
select id, report from dream_runs where owner = :owner;

-- name: set_texts_of_dream_runs
update dream_runs set report = ? where owner = ? and id = ?;

-- name: texts_of_dream_answers
select session, key, answer from dream_answers where owner = :owner;

-- name: set_texts_of_dream_answers
update dream_answers set answer = ? where owner = ? and session = ? and key = ?;

-- name: generations_of_pages
select project, digest, body, written_ms from memory_pages where owner = :owner;

-- name: texts_of_share_reviews
select publisher, share, wording, reason from share_reviews where owner = :owner;

-- name: set_texts_of_share_reviews
update share_reviews set wording = ?, reason = ? where owner = ? and publisher = ? and share = ?;

-- name: texts_of_request_answers
select key, headers, body from request_answers where owner = :owner;

-- name: set_texts_of_request_answers
update request_answers set headers = ?, body = ? where owner = ? and key = ?;

-- name: texts_of_shares
select id, text, topic, facts from shares where owner = :owner;
