-- +goose Up
-- What a model changed on one day, for the daily cap; without it each rating would read the whole history of its pair.
CREATE INDEX relation_log_by_time ON relation_log (preset, target, ts) WHERE source = 'model';
-- The newest changes of a preset, for the panel.
CREATE INDEX relation_log_by_preset ON relation_log (preset, id);

-- +goose Down
DROP INDEX relation_log_by_preset;
DROP INDEX relation_log_by_time;
