DROP TABLE quotas;
