-- The last day on which a partner used a coordinate, of each version and key mode.
CREATE INDEX usage_of_partner ON usage (partner_id, coordinate, version, key_mode, day);
