"""The page with the operator's own terms: shown from a file, and mentioned only if there is one."""

from __future__ import annotations

import pytest

from daybook.services.settings import BadSettingError, Settings
from daybook.web.app import create_app
from tests.web.conftest import Visitor


def test_terms_are_shown_as_paragraphs_of_text(book, tmp_path):
    file = tmp_path / "terms.txt"
    file.write_text("We keep <b>names</b>.\nWrite to us.\n\n개인정보를 지킵니다.\n", "utf-8")
    object.__setattr__(book.settings, "terms_file", file)
    reader = Visitor(create_app(book))
    assert 'href="/terms"' in reader.get("/help").html
    html = reader.get("/terms").html
    assert "We keep &lt;b&gt;names&lt;/b&gt;.<br>Write to us.</p>" in html
    assert "개인정보를 지킵니다.</p>" in html


def test_without_the_setting_no_page_mentions_terms(visitor):
    assert "/terms" not in visitor.get("/help").html
    assert visitor.get("/terms").status == 404


@pytest.mark.parametrize("content", [None, b"", b" \n\n ", b"\xff\xfe\x00", b"x" * 200_001])
def test_unusable_file_is_refused_at_the_start(tmp_path, content):
    file = tmp_path / "terms.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadSettingError, match="DAYBOOK_TERMS_FILE"):
        Settings(data=tmp_path, terms_file=file).terms()
