"""Days as spreadsheets write them: 2026-11-28, 28.11.2026, 28/11/2026, 11/28/2026, 20261128, 2026년 11월 28일.

A column with slashes is read in one order, which some day of it must show: 03/04/2026 alone is two days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from daybook.domain.kernel.terms import because
from daybook.services.exchange.incoming import NotReadableError

TIME_OF_DAY = r"(?:[T, ]+(\d{1,2}:\d\d(?::\d\d)?)(?:\s*([AaPp])\.?[Mm]\.?)?)?"
YEAR_FIRST = re.compile(rf"(\d{{4}})\s*[-./년]\s*(\d{{1,2}})\s*[-./월]\s*(\d{{1,2}})\s*[일.]?{TIME_OF_DAY}")
COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
YEAR_LAST = re.compile(rf"(\d{{1,2}})\s*([-./])\s*(\d{{1,2}})\s*[-./]\s*(\d{{4}}){TIME_OF_DAY}")


def read_days(texts: Iterable[str]) -> Mapping[str, str]:
    """Return each text of a column as 2026-11-28 or 2026-11-28T19:30:00; texts that are not days stay as they are.

    Raises NotReadableError if the column does not show which number is the month.
    """
    wanted = dict.fromkeys(texts)
    with_slash = [match for text in wanted if (match := YEAR_LAST.fullmatch(text.strip())) and match[2] == "/"]
    day_first = any(int(match[1]) > 12 for match in with_slash)
    month_first = any(int(match[3]) > 12 for match in with_slash)
    unclear = next((match[0] for match in with_slash if int(match[1]) != int(match[3])), None)
    if unclear and day_first == month_first:
        raise NotReadableError(
            because("unclear_days", "“{text}” can be two days: write the days as 2026-04-18", text=unclear[:40])
        )
    return {text: _read_day(text.strip(), month_first) for text in wanted}


def _read_day(text: str, month_first: bool) -> str:
    if match := COMPACT.fullmatch(text):
        return "-".join(match.groups())
    if match := YEAR_FIRST.fullmatch(text):
        year, month, day, *time = match.groups()
    elif match := YEAR_LAST.fullmatch(text):
        first, sign, second, year, *time = match.groups()
        day, month = (second, first) if sign == "/" and month_first else (first, second)
    else:
        return text
    return f"{year}-{int(month):02}-{int(day):02}" + _read_time(*time)


def _read_time(time: str | None, half: str | None) -> str:
    if time is None:
        return ""
    hour, *rest = time.split(":")
    hours = int(hour) if half is None else int(hour) % 12 + (12 if half in "Pp" else 0)
    return f"T{hours:02}:{':'.join([*rest, '00'][:2])}"
