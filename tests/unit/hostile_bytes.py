"""Small files that unfold to large ones, or claim what they do not hold."""

import io
import zipfile
import zlib

import numpy as np

from assay.formats.compression import zstandard


def zeros_in_gzip(size: int, line: bytes = b"") -> bytes:
    """Return a small file that unpacks to so many bytes."""
    packer = zlib.compressobj(9, wbits=31)
    piece = (line or b"\0") * ((1 << 20) // len(line or b"\0"))
    return b"".join(packer.compress(piece) for _ in range(size >> 20)) + packer.flush()


def zeros_in_zstd(size: int) -> bytes:
    """Return a few kilobytes that unpack to so many bytes."""
    one = zstandard().compress((b" " * 63 + b"\n") * (1 << 20))
    return one * (size >> 26)


def zip_of_zeros(size: int) -> bytes:
    """Return an npz of an array of so many bytes of zeros."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f4", "fortran_order": False, "shape": (size >> 3, 2)})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made, made.open("e.npy", "w") as one:
        one.write(head.getvalue())
        for _ in range(size >> 20):
            one.write(bytes(1 << 20))
    return file.getvalue()


def header(shape: str) -> bytes:
    """Return an npy file that claims a shape and holds 16 bytes."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(16)


def entities(levels: int) -> bytes:
    """Return RDF/XML whose entities stand for ten to the power of so many letters."""
    made = "".join(
        f'<!ENTITY e{n} "{"&e" + str(n - 1) + ";"}{("&e" + str(n - 1) + ";") * 9}">' for n in range(1, levels)
    )
    text = f'<!DOCTYPE x [<!ENTITY e0 "lolololol">{made}<!ENTITY out SYSTEM "file:///etc/passwd">]>'
    body = f'<rdf:Description rdf:about="http://x/a"><x:p>&e{levels - 1};&out;</x:p></rdf:Description>'
    space = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/"'
    return f"{text}<rdf:RDF {space}>{body}</rdf:RDF>".encode()
