CREATE TABLE played (     -- an ended game as pages list it; gone while a correction makes it run again
  table_id text NOT NULL, game integer NOT NULL, key text NOT NULL, verdict text NOT NULL,
  head jsonb NOT NULL, began double precision NOT NULL, ended double precision NOT NULL,
  result jsonb, rolls jsonb NOT NULL, PRIMARY KEY (table_id, game));
CREATE INDEX ON played (ended DESC);
CREATE INDEX ON played (key, ended);
CREATE TABLE codes (hash text PRIMARY KEY, until timestamptz NOT NULL);       -- off a terminal
CREATE TABLE organisers (hash text PRIMARY KEY, until timestamptz NOT NULL);  -- of their cookies
CREATE TABLE leagues (    -- tables: {} means all of them
  id serial PRIMARY KEY, name text NOT NULL, key text NOT NULL, first date NOT NULL, last date NOT NULL,
  tables text[] NOT NULL, made timestamptz NOT NULL DEFAULT now());
CREATE TABLE tournaments (  -- players: in the order in which the lot put them
  id serial PRIMARY KEY, name text NOT NULL, kind text NOT NULL, players text[] NOT NULL,
  tables text[] NOT NULL, made timestamptz NOT NULL DEFAULT now());
CREATE TABLE pairings (   -- points: of `one`; null while they play. game: which said so; null: a hand
  tournament integer NOT NULL REFERENCES tournaments ON DELETE CASCADE, round integer NOT NULL,
  place integer NOT NULL, one text NOT NULL, other text, table_id text, points real, game integer,
  PRIMARY KEY (tournament, round, place));
