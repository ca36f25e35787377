"""`python -m assay`: the same as `assay`."""

from assay.cli.main import main

if __name__ == "__main__":
    main()
