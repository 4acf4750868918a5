"""Environment variable with which the web processes of one `serve` share their counts. The metrics read it on import."""

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # read by prometheus_client, which stores counts in this folder
