"""Entity resolution: candidates record by record, blocking, pairs, clusters, and mentions linked to entities."""
