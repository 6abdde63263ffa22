CREATE TABLE games (      -- proven: the last number of an unbroken chain from 0, and the hash there
  table_id text NOT NULL, game integer NOT NULL, proven integer NOT NULL DEFAULT -1,
  hash text NOT NULL DEFAULT '', finish text, verdict text, says text NOT NULL DEFAULT '',
  PRIMARY KEY (table_id, game))
  WITH (fillfactor = 70); -- a row changes with every batch, and finds room on its page
CREATE TABLE entries (    -- exactly as they were told, number 0 is the head of the game
  table_id text NOT NULL, game integer NOT NULL, number integer NOT NULL, hash text NOT NULL,
  told text NOT NULL, PRIMARY KEY (table_id, game, number));
CREATE TABLE waiting (    -- behind a gap: moved to entries when it closes, if it follows then
  table_id text NOT NULL, game integer NOT NULL, number integer NOT NULL, hash text NOT NULL,
  told text NOT NULL);
CREATE INDEX ON waiting (table_id, game);
CREATE TABLE due (        -- games that ended and are to be judged; whoever judges one locks its row
  id bigserial PRIMARY KEY, table_id text NOT NULL, game integer NOT NULL, UNIQUE (table_id, game));
CREATE TABLE refused (
  id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), table_id text NOT NULL,
  says text NOT NULL, line text NOT NULL);
