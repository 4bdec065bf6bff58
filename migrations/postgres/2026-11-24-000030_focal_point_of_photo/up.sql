-- The point of the portrait that stays visible where it is cropped, in tenths of its width and height: "5,2".
ALTER TABLE cards ADD COLUMN deceased_photo_focal_point TEXT;
