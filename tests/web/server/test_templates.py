"""What templates are compiled to is kept for the next process, and what they put out is what Jinja puts out."""

from __future__ import annotations

from typing import Any

import pytest
from flask import render_template_string
from jinja2 import DictLoader, Environment
from markupsafe import Markup

from daybook.web.server.templates import CompiledTemplates, PageContext, PageTemplate


class Loading(Environment):
    """Compiles nothing."""

    def compile(self, *source: Any, **named: Any) -> Any:
        raise AssertionError("a template is compiled")


def test_a_template_is_compiled_by_the_first_process_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    kept, says = CompiledTemplates(tmp_path / "kept"), {"page": "{{ 6 * 7 }}"}
    assert Environment(loader=DictLoader(says), bytecode_cache=kept).get_template("page").render() == "42"
    assert Loading(loader=DictLoader(says), bytecode_cache=kept).get_template("page").render() == "42"
    with pytest.raises(AssertionError, match="is compiled"):
        Loading(loader=DictLoader({"page": "{{ 6 * 8 }}"}), bytecode_cache=kept).get_template("page")


@pytest.mark.parametrize("may_write", [True, False])
def test_where_nobody_may_write_each_process_compiles(tmp_path, monkeypatch, may_write):
    monkeypatch.setattr("sys.dont_write_bytecode", not may_write)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "none"):
        env = Environment(loader=DictLoader({"page": "{{ 1 }}"}), bytecode_cache=CompiledTemplates(folder))
        assert env.get_template("page").render() == "1"
    assert (tmp_path / "none").exists() == may_write


WRITTEN = """{% macro twice(of) %}{{ of }}{{ of }}{% endmacro %}
{{ text }} {{ "a" }} {{ 3 }} {{ 2.5 }} {{ true }} {{ none }} {{ nothing }} {{ html }} {{ twice(text) }} {{ [text] }}
{% for one in (text, html) %}{{ loop.index ~ one }}{% endfor %}{{ text|upper }}{% set put %}{{ text }}{% endset %}{{ put }}
"""


def test_what_a_page_puts_out_is_escaped_as_jinja_does_it():
    written = {"page": WRITTEN}, {"text": "<b>&'\"", "html": Markup("<i>")}
    ours, jinja = (Environment(loader=DictLoader(written[0]), autoescape=True) for _ in range(2))
    ours.context_class, ours.template_class = PageContext, PageTemplate
    assert ours.get_template("page").render(written[1]) == jinja.get_template("page").render(written[1])


def test_a_name_in_a_text_is_escaped_once(app):
    with app.test_request_context():
        said = render_template_string('{{ say(_("{names}: to decide"), names=name) }}', name="Ben <b>")
    assert said == "Ben &lt;b&gt;: to decide"
