"""What every page of Assay in a browser shares: its look, its security, its server."""
