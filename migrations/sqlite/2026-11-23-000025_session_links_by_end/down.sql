DROP INDEX sessions_by_end;
