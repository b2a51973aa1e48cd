"""Rows in columns: as wide as what is in them, the last one within the terminal."""

from collections.abc import Sequence

from noctuary.doors.cli.paint import clipped, dim, is_terminal, line_width, padded, width

GAP = "  "
_LEAST_LAST = 24  # columns; with less room the last cell gets a line of its own


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Lines of a table; the columns named in `right` are numbers and end at the same place."""
    widths = [max(width(cell) for cell in column) for column in zip(heads, *rows, strict=True)][:-1]
    room = line_width() - sum(widths) - len(GAP) * len(widths)
    is_narrow = is_terminal() and room < _LEAST_LAST
    lines = [dim(GAP.join([*_cells(heads, widths, right), *([] if is_narrow else [heads[-1]])]))]
    for row in rows:
        front = GAP.join(_cells(row, widths, right))
        if is_narrow:
            lines += [front.rstrip(), f"{GAP}{clipped(row[-1], line_width() - len(GAP))}"]
        else:
            lines.append(f"{front}{GAP}{clipped(row[-1], room) if is_terminal() else row[-1]}".rstrip())
    return lines


def facts(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Lines of names and values; a fact without a value is left out."""
    known = [(name, value) for name, value in pairs if value]
    widest = max((width(name) for name, _ in known), default=0)
    return [f"{GAP}{dim(padded(name, widest))}{GAP}{value}" for name, value in known]


def _cells(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> list[str]:
    cells = []
    for at, (cell, columns) in enumerate(zip(row, widths, strict=False)):
        cells.append(cell.rjust(columns) if at in right else padded(cell, columns))
    return cells
