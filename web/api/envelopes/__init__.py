"""What comes in over HTTP, checked by marshmallow: a schema for each body, query and header, by subject."""
