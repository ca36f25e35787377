"""The dashboard of history: pages on which people follow figures over time, read-only unless they may write."""
