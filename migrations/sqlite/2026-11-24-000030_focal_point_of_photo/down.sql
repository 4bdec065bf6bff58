ALTER TABLE cards DROP COLUMN deceased_photo_focal_point;
