"""Reports as workbooks for spreadsheets: the rows of the CSV, each cell by its kind, and a sheet about them.

Texts stay texts, whatever they look like: no formula, no link, no number. The same CSV gives the same bytes: nothing in
the file says when it was made, and its parts are stored uncompressed, since no two compressors agree.
"""

import datetime as dt
import shutil
import tempfile
import zipfile

import xlsxwriter

from . import files
from .columns import Kind
from .wording import WORDING

MOST_ROWS = 1_048_575
"""What a sheet holds below its head."""
MOST_LETTERS = 32_767
_WIDTHS = {
    Kind.TEXT: 16,
    Kind.ID: 18,
    Kind.DATE: 11,
    Kind.TIME: 26,
    Kind.UNITS: 14,
    Kind.COUNT: 9,
    Kind.PERMILLE: 9,
    Kind.TENTHS: 9,
}
_SURE = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def write(report, about, path, content, watch):
    """Write a workbook, in flat memory.

    :param about: the lines of the second sheet, `about.About.facts`.
    :param path: the CSV's; `content` takes the bytes and is seekable.
    :param watch: is called with the number of rows written, now and then.
    :raises Refused: `report_too_long` if a sheet has no room for it.
    """
    with tempfile.TemporaryFile() as raw:
        book = xlsxwriter.Workbook(raw, {"constant_memory": True, **_SURE})
        book.set_properties({"title": report.title, "created": dt.datetime.combine(about.last, dt.time())})
        _rows(book, report, about, path, watch)
        _about(book, report, about)
        book.close()
        _store(raw, content)


def _rows(book, report, about, path, watch):
    sheet = book.add_worksheet("Report")
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    whole = "#,##0" + ("." + "0" * about.decimals if about.decimals else "")
    amount, tenth = book.add_format({"num_format": whole}), book.add_format({"num_format": "0.0"})
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    for place, column in enumerate(report.filed):
        sheet.set_column(place, place, _WIDTHS.get(column.kind, 12))
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(report.filed):
        sheet.write_string(0, place, column.label, head)
    kinds = [column.kind for column in report.filed]
    number = 0
    for number, row in enumerate(files.rows(report, path), 1):
        if number > MOST_ROWS:
            raise WORDING.refused("report_too_long:workbook", most=MOST_ROWS)
        for place, (kind, cell) in enumerate(zip(kinds, row, strict=True)):
            if cell is None:
                continue
            if kind == Kind.UNITS:
                sheet.write_number(number, place, cell, amount)
            elif kind in {Kind.PERMILLE, Kind.TENTHS}:
                sheet.write_number(number, place, cell, tenth)
            elif kind == Kind.COUNT:
                sheet.write_number(number, place, cell)
            elif kind == Kind.DATE:
                sheet.write_datetime(number, place, dt.datetime.fromisoformat(cell), day)
            elif sheet.write_string(number, place, cell):
                # The library would drop it, or cut it.
                raise WORDING.refused("report_too_long:cell", row=number, most=MOST_LETTERS)
        if number % files.WATCHED == 0:
            watch(number)
    if number:
        sheet.autofilter(0, 0, number, len(kinds) - 1)


def _about(book, report, about):
    sheet = book.add_worksheet("About")
    bold, wrapped = book.add_format({"bold": True, "valign": "top"}), book.add_format({"text_wrap": True})
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 90)
    sums = [("How its figures belong together", report.sums)] if report.sums else []
    lines = [*about.facts, *sums, *((column.label, column.says) for column in report.filed)]
    for number, (what, says) in enumerate(lines):
        sheet.write_string(number, 0, what, bold)
        sheet.write_string(number, 1, says, wrapped)


def _store(raw, content):
    """Store the workbook's parts uncompressed, in their order, with no mark of this machine."""
    with zipfile.ZipFile(raw) as parts, zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as stored:
        for part in parts.infolist():
            plain = zipfile.ZipInfo(part.filename, (1980, 1, 1, 0, 0, 0))
            plain.create_system, plain.external_attr, plain.file_size = 3, 0o600 << 16, part.file_size
            with parts.open(part) as source, stored.open(plain, "w") as target:
                shutil.copyfileobj(source, target)
