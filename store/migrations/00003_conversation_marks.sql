-- +goose Up
-- What a conversation holds of text that nobody vouches for ('source'), and what the person has allowed in it ('grant').
CREATE TABLE conversation_mark (
    preset TEXT NOT NULL,
    kind   TEXT NOT NULL CHECK (kind IN ('source', 'grant')),
    name   TEXT NOT NULL,
    ts     INTEGER NOT NULL, -- milliseconds since 1970
    PRIMARY KEY (preset, kind, name)
) STRICT;

-- +goose Down
DROP TABLE conversation_mark;
