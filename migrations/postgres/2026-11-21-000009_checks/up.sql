-- PostgreSQL reckons with IN as cheaply as with OR: there is nothing to change here.
SELECT 1;
