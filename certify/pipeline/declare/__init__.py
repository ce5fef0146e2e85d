"""Creation and editing of declared files, checked before they are saved."""
