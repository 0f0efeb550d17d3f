"""QR codes of the addresses at which tablets become terminals."""

import io

import segno


def qr_svg(text: str) -> bytes:
    """A QR code as an SVG image, dark on light whatever the page's colours are."""
    image = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        image,
        kind="svg",
        border=4,
        dark="#000",
        light="#fff",
        omitsize=True,
        svgclass=None,
        lineclass=None,
    )
    return image.getvalue()
