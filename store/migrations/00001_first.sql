-- +goose Up
-- Switches and settings: one JSON value a key (docs/rules/desktop.md#store names the keys).
CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

-- What was said, for ever. A row with kind 'boundary' begins a new session.
CREATE TABLE transcript (
    id       INTEGER PRIMARY KEY,
    preset   TEXT NOT NULL,
    kind     TEXT NOT NULL CHECK (kind IN ('speech', 'boundary')),
    role     TEXT NOT NULL DEFAULT '',
    text     TEXT NOT NULL DEFAULT '',
    ts       INTEGER NOT NULL,           -- milliseconds since 1970
    cut      INTEGER NOT NULL DEFAULT 0, -- the answer broke off
    not_sent INTEGER NOT NULL DEFAULT 0, -- the turn failed before any speech: shown, never sent again
    guide    INTEGER NOT NULL DEFAULT 0  -- user content that nobody typed
) STRICT;
CREATE INDEX transcript_by_preset ON transcript (preset, id);

-- Trigrams find words of three characters and more in every script; shorter ones are found by LIKE.
CREATE VIRTUAL TABLE transcript_search USING fts5 (text, content = 'transcript', content_rowid = 'id', tokenize = 'trigram');
-- +goose StatementBegin
CREATE TRIGGER transcript_added AFTER INSERT ON transcript BEGIN
    INSERT INTO transcript_search (rowid, text) VALUES (new.id, new.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER transcript_removed AFTER DELETE ON transcript BEGIN
    INSERT INTO transcript_search (transcript_search, rowid, text) VALUES ('delete', old.id, old.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER transcript_changed AFTER UPDATE OF text ON transcript BEGIN
    INSERT INTO transcript_search (transcript_search, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO transcript_search (rowid, text) VALUES (new.id, new.text);
END;
-- +goose StatementEnd

-- Where each pet stood last, in pixels of the root window, and whether its preset was open.
CREATE TABLE pet (
    preset TEXT PRIMARY KEY,
    x      REAL NOT NULL DEFAULT 0,
    y      REAL NOT NULL DEFAULT 0,
    placed INTEGER NOT NULL DEFAULT 0,
    opened INTEGER NOT NULL DEFAULT 0 -- order of opening, 0 for closed
) STRICT;

-- How a preset feels toward a target: 'user' or 'preset:<id>', so that a preset called user is never the person.
CREATE TABLE relation (
    preset TEXT NOT NULL,
    target TEXT NOT NULL,
    value  INTEGER NOT NULL CHECK (value BETWEEN -20 AND 20),
    PRIMARY KEY (preset, target)
) STRICT;
CREATE TABLE relation_log (
    id     INTEGER PRIMARY KEY,
    preset TEXT NOT NULL,
    target TEXT NOT NULL,
    ts     INTEGER NOT NULL,
    delta  INTEGER NOT NULL,
    value  INTEGER NOT NULL,
    why    TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('user', 'model'))
) STRICT;
CREATE INDEX relation_log_by_pair ON relation_log (preset, target, id);

-- +goose Down
DROP TABLE relation_log;
DROP TABLE relation;
DROP TABLE pet;
DROP TABLE transcript_search;
DROP TABLE transcript;
DROP TABLE setting;
