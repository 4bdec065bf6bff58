DROP TABLE invitation_days;
DROP TABLE invitation_counts;
