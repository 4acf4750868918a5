"""Daybook in a browser without a server: the application in a worker, its files in the browser's storage."""
