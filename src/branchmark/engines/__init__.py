"""Where chunks are computed: `map_chunks(function, chunks)` gives their results in chunk order."""
