"""The variable by which several web processes of one `serve` count together; the metrics read it when they are imported."""

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # the library's name: it counts into files of this folder
