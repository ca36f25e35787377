"""What the keys of what is installed mean."""

from assay.report.schema.words.evaluation import DOCUMENT

PACKAGE = {
    "name": "The name of the library.",
    "wanted": "The versions that are wanted, such as >=2.1; empty where any will do.",
    "version": "The version that is here; null where it is missing.",
    "state": "Whether it is here, missing, or here in a version that is not wanted (unfit).",
}

EXTRA = {
    "name": "The name of the extra.",
    "state": "Whether all its libraries are here (complete), some (partly), or none (missing).",
    "brings": "What the extra brings, in words.",
    "install": "The command that installs it.",
    "packages": "The libraries that the extra needs.",
}

PROGRAM = {
    "name": "The name of the program.",
    "serves": "What the program would serve, in words.",
    "path": "Where the program lies; null where it is not found.",
}

CHECK = {
    "name": "What was tried, by name.",
    "state": "Whether that is fine, worth a note, or broken.",
    "found": "What was seen, in words.",
}

DOCTOR = DOCUMENT | {
    "works": "Whether nothing is broken; a missing extra is not.",
    "python": "The version of Python that runs.",
    "platform": "The system that it runs on.",
    "executable": "The path of the Python that runs.",
    "path": "The folder that Assay runs from.",
    "source": "How Assay came there, in words.",
    "packages": "The libraries that Assay always needs.",
    "extras": "The parts of Assay that are installed at will.",
    "programs": "Programs that Assay or its user may want; none is needed.",
    "checks": "What was tried, and what came of it.",
}
