INSERT INTO document (id, title) VALUES (42, 'draft');
