-- Nothing was changed.
SELECT 1;
