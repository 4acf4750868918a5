"""Workbooks of spreadsheet programs, made as the programs write them, and some that are built to do harm."""

from __future__ import annotations

import io
import zipfile

import pytest

from daybook.services.exchange.incoming import NotReadableError
from daybook.services.exchange.plays_file import read_plays

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
ROWS = [("Datum", "Spiel", "Anna", "Ben"), (46354, "Azul", 51, 40.5), (46355, "Hearts", 3, 26)]  # 28 Nov 2026


def packed(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def xlsx(sheets: list[str]) -> bytes:
    """Return a workbook of sheets, each the XML of its rows."""
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    numbers = range(1, len(sheets) + 1)
    listed = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    targets = "".join(
        f'<Relationship Id="rId{n}" Type="{relations}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r" Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{relations}"><sheets>{listed}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{packages}/relationships">{targets}'
            f'<Relationship Id="s" Type="{relations}/styles" Target="styles.xml"/></Relationships>',
            "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
        }
        | {
            f"xl/worksheets/sheet{n}.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
            for n, rows in zip(numbers, sheets, strict=True)
        }
    )


def xlsx_rows(rows) -> str:
    def cell(column: int, row: int, value: object) -> str:
        at = f"{chr(ord('A') + column)}{row}"
        if isinstance(value, str):
            return f'<c r="{at}" t="inlineStr"><is><t>{value}</t></is></c>'
        style = ' s="1"' if column == 0 else ""
        return f'<c r="{at}"{style}><v>{value}</v></c>'

    return "".join(
        f'<row r="{n}">{"".join(cell(at, n, value) for at, value in enumerate(row))}</row>'
        for n, row in enumerate(rows, 1)
    )


def ods(rows: str) -> bytes:
    content = (
        f'<office:document-content xmlns:office="{OFFICE}" xmlns:table="{TABLE}" xmlns:text="{TEXT}"><office:body>'
        f'<office:spreadsheet><table:table table:name="Log">{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry '
        'manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>'
    )
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    return packed({"mimetype": mimetype, "content.xml": content, "META-INF/manifest.xml": manifest})


def ods_cell(value: object, attributes: str = "") -> str:
    if isinstance(value, str) and value[:2] == "20":
        told = f'office:value-type="date" office:date-value="{value}"'
    elif isinstance(value, str):
        told = 'office:value-type="string"'
    else:
        told = f'office:value-type="float" office:value="{value}"'
    return f"<table:table-cell {told} {attributes}><text:p>{value}</text:p></table:table-cell>"


REPEATED = 'table:number-columns-repeated="16000"'
FILL = '<table:table-cell table:number-columns-repeated="1020"/>'
END = f'<table:table-row table:number-rows-repeated="1048572">{FILL}</table:table-row>'
ODS_ROWS = [ROWS[0], ("2026-11-28", *ROWS[1][1:]), ("2026-11-29", *ROWS[2][1:])]


def ods_rows(rows) -> str:
    return "".join(f"<table:table-row>{''.join(map(ods_cell, row))}{FILL}</table:table-row>" for row in rows)


WORKBOOKS = {  # made when they are read: a large one takes half a second
    "xlsx": lambda: xlsx([xlsx_rows(ROWS)]),
    "second sheet": lambda: xlsx([xlsx_rows([("Notes",)]), xlsx_rows(ROWS)]),
    "ods": lambda: ods(ods_rows(ODS_ROWS) + END),
}


@pytest.mark.parametrize("kind", WORKBOOKS)
def test_workbook_is_read_as_a_table(kind):
    incoming = read_plays(WORKBOOKS[kind]())
    assert [(play.at, play.game.name) for play in incoming.plays] == [("2026-11-28", "Azul"), ("2026-11-29", "Hearts")]
    azul, hearts = incoming.plays
    assert [(player.name, player.score, player.score_text) for player in azul.players] == [
        ("Anna", 51, ""),
        ("Ben", None, "40.5"),
    ]
    assert [player.score for player in hearts.players] == [3, 26]


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: xlsx(['<row r="9999999"><c r="A9999999"><v>1</v></c></row>']), "lines_many"),
        (lambda: xlsx(['<row r="1"><c r="XFD1"><v>1</v></c></row>']), "fields_many"),
        (lambda: xlsx([""] * 51), "sheets_many"),
        (lambda: xlsx(["<row>" + " " * 101_000_000 + "</row>"]), "file_large"),
        (lambda: ods(f"<table:table-row>{ods_cell('x', REPEATED)}</table:table-row>"), "fields_many"),
        (lambda: ods("<table:table-row>" + ods_cell("x") + "</table:table-row>")[:400], "no_workbook"),
        (lambda: packed({f"x{n}": "" for n in range(501)}), "file_large"),
        (lambda: packed({"a.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}), "no_workbook"),
        (lambda: packed({"hello.txt": "no workbook"}), "no_workbook"),
        (lambda: b"PK\x03\x04" + b"\0" * 100, "no_workbook"),
    ],
)
def test_harmful_or_broken_workbook_is_refused(make, key):
    with pytest.raises(NotReadableError) as refused:
        read_plays(make())
    assert refused.value.reason.key == key


def test_repeated_row_of_a_workbook_is_limited():
    row = f'<table:table-row table:number-rows-repeated="9000000">{ods_cell("x")}</table:table-row>'
    with pytest.raises(NotReadableError) as refused:
        read_plays(ods(ods_rows(ODS_ROWS) + row))
    assert refused.value.reason.key in ("lines_many", "values_many")
