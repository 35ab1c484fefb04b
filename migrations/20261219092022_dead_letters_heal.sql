-- Dead letters know the connection that they failed over, and whether their action lets them go out again by themselves.
ALTER TABLE runs ADD COLUMN connection TEXT;
ALTER TABLE runs ADD COLUMN self_heal INTEGER;
