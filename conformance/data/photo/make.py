"""Writes the smallest photos that a decoder accepts, one for each format but HEIC (../heic) and WebP (in mock_server.rs)."""

import struct
import zlib


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png():
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)  # 1 by 1, 8 bits, RGB
    pixels = zlib.compress(b"\0\x80\x80\x80", 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def segment(marker, data):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg():
    quantization = b"\0" + b"\1" * 64
    frame = struct.pack(">BHHB", 8, 8, 8, 1) + b"\1\x11\0"  # 8 by 8, one component
    one_code = b"\1" + b"\0" * 15 + b"\0"  # the code 0 stands for the value 0: no difference, end of block
    scan = b"\1\1\0\0\x3f\0"
    return (
        b"\xff\xd8"
        + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
        + segment(0xDB, quantization)
        + segment(0xC0, frame)
        + segment(0xC4, b"\0" + one_code)
        + segment(0xC4, b"\x10" + one_code)
        + segment(0xDA, scan)
        + b"\x3f\xff\xd9"  # 0, 0, and ones up to the end of the byte
    )


for name, photo in [("pixel.png", png()), ("grey.jpeg", jpeg())]:
    with open(name, "wb") as file:
        file.write(photo)
