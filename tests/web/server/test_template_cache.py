"""Compiled templates are shared between processes."""

from __future__ import annotations

from typing import Any

import pytest
from flask import render_template_string
from jinja2 import DictLoader, Environment

from daybook.web.server.template_cache import TemplateCache


class Loading(Environment):
    """Compiles nothing."""

    def compile(self, *source: Any, **named: Any) -> Any:
        raise AssertionError("a template is compiled")


def test_a_template_is_compiled_by_the_first_process_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    kept, says = TemplateCache(tmp_path / "kept"), {"page": "{{ 6 * 7 }}"}
    assert Environment(loader=DictLoader(says), bytecode_cache=kept).get_template("page").render() == "42"
    assert Loading(loader=DictLoader(says), bytecode_cache=kept).get_template("page").render() == "42"
    with pytest.raises(AssertionError, match="is compiled"):
        Loading(loader=DictLoader({"page": "{{ 6 * 8 }}"}), bytecode_cache=kept).get_template("page")


@pytest.mark.parametrize("may_write", [True, False])
def test_where_nobody_may_write_each_process_compiles(tmp_path, monkeypatch, may_write):
    monkeypatch.setattr("sys.dont_write_bytecode", not may_write)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "none"):
        env = Environment(loader=DictLoader({"page": "{{ 1 }}"}), bytecode_cache=TemplateCache(folder))
        assert env.get_template("page").render() == "1"
    assert (tmp_path / "none").exists() == may_write


def test_a_name_in_a_text_is_escaped_once(app):
    with app.test_request_context():
        said = render_template_string('{{ say(_("{names}: to decide"), names=name) }}', name="Ben <b>")
    assert said == "Ben &lt;b&gt;: to decide"
