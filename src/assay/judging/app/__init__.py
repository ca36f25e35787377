"""The judging app: pages on which people say how good an item is for a query."""
