CREATE TABLE played (     -- an ended game that was judged, as pages list it
  table_id text NOT NULL, game integer NOT NULL, key text NOT NULL, head jsonb NOT NULL,
  began double precision NOT NULL, ended double precision NOT NULL, result jsonb,
  rolls jsonb NOT NULL, PRIMARY KEY (table_id, game));
CREATE INDEX ON played (ended DESC);
CREATE INDEX ON played (key, ended);
CREATE VIEW kept AS       -- without those that a correction has made run again
  SELECT played.*, verdict, says FROM played JOIN games USING (table_id, game)
  WHERE verdict IS NOT NULL;
CREATE TABLE codes (hash text PRIMARY KEY, until timestamptz NOT NULL);       -- off a terminal
CREATE TABLE organisers (hash text PRIMARY KEY, until timestamptz NOT NULL);  -- of their cookies
CREATE TABLE leagues (    -- tables: {} means all of them
  id serial PRIMARY KEY, name text NOT NULL, key text NOT NULL, first date NOT NULL,
  last date NOT NULL, tables text[] NOT NULL);
CREATE TABLE tournaments (  -- players: in the order in which the lot put them
  id serial PRIMARY KEY, name text NOT NULL, kind text NOT NULL, players text[] NOT NULL,
  tables text[] NOT NULL);
CREATE TABLE pairings (   -- points: of `one`; null while they play. game: which said so, "table/7"
  tournament integer NOT NULL REFERENCES tournaments ON DELETE CASCADE, round integer NOT NULL,
  place integer NOT NULL, one text NOT NULL, other text, table_id text, points real, game text,
  drawn timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (tournament, round, place));
