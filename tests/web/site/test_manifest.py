"""Daybook on a home screen: the manifest, and icons that are what they say they are, all served by us."""

from __future__ import annotations

from io import BytesIO

from PIL import Image


def test_every_page_leads_to_a_manifest_whose_icons_are_there(visitor):
    assert '<link rel="manifest" href="/daybook.webmanifest"' in visitor.get("/").html
    answer = visitor.client.get("/daybook.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    manifest = answer.json
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        picture = visitor.client.get(icon["src"])
        assert (picture.status_code, picture.mimetype) == (200, icon["type"]), icon
        if icon["type"] == "image/png":
            assert "x".join(map(str, Image.open(BytesIO(picture.data)).size)) == icon["sizes"]
    assert {(icon["type"], icon["purpose"]) for icon in manifest["icons"]} >= {
        ("image/png", "any"),
        ("image/png", "maskable"),
    }
