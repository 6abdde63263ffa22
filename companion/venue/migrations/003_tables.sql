CREATE TABLE admitted (   -- tables that a venue has adopted; password: as Mosquitto keeps it
  table_id text PRIMARY KEY, password text NOT NULL, since timestamptz NOT NULL DEFAULT now());
