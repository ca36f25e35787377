"""The documentation site: pages of reference made from the registries, beside those that people wrote.

`python -m docs.generate` puts all pages into build/docs, builds the site and checks every link of it.
"""
