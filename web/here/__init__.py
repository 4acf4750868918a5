"""Daybook in a browser, without a server: the table's parts in a worker, their files in the browser's own storage."""
