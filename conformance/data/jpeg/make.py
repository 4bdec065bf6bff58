"""Makes the JPEG samples: see README.md. Needs cjpeg of libjpeg-turbo, and Pillow with numpy."""
import os, subprocess
import numpy as np
from PIL import Image

WIDTH, HEIGHT = 96, 64
CORNERS = [(200, 40, 40), (40, 160, 60), (50, 60, 200), (220, 200, 60)]  # red, green, blue, yellow


def picture():
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    corner = 2 * (rows >= HEIGHT // 2) + (columns >= WIDTH // 2)
    grain = np.random.default_rng(1).normal(0, 10, (HEIGHT, WIDTH, 1))
    return Image.fromarray(np.clip(np.array(CORNERS)[corner] + grain, 0, 255).astype(np.uint8))


def cjpeg(name, *options):
    with open(name + ".jpeg", "wb") as file:
        subprocess.run(["cjpeg", "-quality", "80", *options, "picture.ppm"], stdout=file, check=True)


picture().save("picture.ppm")
open("scans", "w").write("0;\n1;\n2;\n")
cjpeg("baseline")
cjpeg("progressive", "-progressive")
cjpeg("restarts", "-restart", "1")
cjpeg("scans-420", "-scans", "scans")
cjpeg("scans-440", "-scans", "scans", "-sample", "1x2")
cjpeg("sampled-3x1", "-sample", "3x1")
cjpeg("arithmetic", "-arithmetic")
cjpeg("fine-chroma", "-sample", "1x1,2x1,2x1")
picture().convert("CMYK").save("cmyk.jpeg", quality=80)
os.remove("picture.ppm")
os.remove("scans")
