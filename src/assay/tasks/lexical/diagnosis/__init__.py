"""Why words miss: what queries and documents share, what each missed document lacks, which queries will be hard."""
