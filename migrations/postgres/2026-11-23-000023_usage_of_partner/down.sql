DROP INDEX usage_of_partner;
