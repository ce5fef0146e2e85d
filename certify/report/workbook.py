"""Workbooks: a PAR sheet for each paytable, and house ways compared, a sheet for each option.

Counts are integers, pays are inputs, and all other cells are formulas over named cells, so they
follow when a pay is changed. The exact figures of the filing are given as text.

In the comparison of house ways, edges are floating-point numbers for the spreadsheet, and the cost
of a play is a formula over them. The exact edges are below them as text.
"""

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from certify.formatting import exact, root
from certify.model.analysis import Analysis, EnvyAnalysis, RowAnalysis
from certify.model.comparison import HouseWayComparison, HouseWayMatrix
from certify.model.game import Game
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Payout, Paytable
from certify.model.progressive import ProgressiveAnalysis

FIRST_ROW, HEADINGS = 3, ("Winning hand", "Payout", "Basis", "Pays", "Combinations",
                             "Probability", "Net result", "Return", "Squared")  # fmt: skip
HAND, PRINTED, BASIS, PAYS, COMBINATIONS, PROBABILITY, NET, RETURN, SQUARED = range(9)
ENVY_HEADINGS = ("", "", "Prize, in dollars", "Combinations", "Probability", "", "Return")
SHEET_WIDTHS = (44, 22, 9, 12, 22, 16, 14, 16, 16)
WITHOUT_LIMITS = "Without the payout limits that the terms state."
PLACES = 8
"""Decimals of a standard deviation, as a program sees it that does not compute."""

Line = tuple[RowAnalysis, Payout | None]
"""One result of a wager, and its payout as an input; None if the net result is the input."""


class Look:
    """The formats of the cells: inputs are colored."""

    def __init__(self, book: Workbook) -> None:
        def form(**properties: object) -> Format:
            return book.add_format({"font_name": "Liberation Sans", "font_size": 10} | properties)

        self.title = form(bold=True, font_size=14)
        self.heading = form(bold=True, bottom=1)
        self.number_heading = form(bold=True, bottom=1, align="right")
        self.text = form()
        self.indented = form(indent=1)
        self.count = form(num_format="#,##0")
        self.chance = form(num_format="0.0000000000")
        self.percent = form(num_format="0.0000%", align="right")
        self.number = form(num_format="#,##0.00######", align="right")
        self.link = form(font_color="#1f4e79", underline=1)
        self.input = form(
            num_format="#,##0.########", bg_color="#fff2cc", font_color="#1f4e79", border=1,
            border_color="#d6b656", locked=False,
        )  # fmt: skip


class Sheet:
    """One table: its figures first, then every way to end, then envy prizes."""

    def __init__(self, book: Workbook, sheet: Worksheet, look: Look, *, title: str) -> None:
        """Begin the sheet; ``title`` is printed at its head."""
        self.book, self.sheet, self.look = book, sheet, look
        self.row = FIRST_ROW
        for column, width in enumerate(SHEET_WIDTHS):
            sheet.set_column(column, column, width)
        sheet.write_string(0, 0, title, look.title)

    def headings(self, row: int, names: Sequence[str]) -> None:
        """Write a line of headings, those of numbers to the right."""
        for column, name in enumerate(names):
            form = self.look.heading if column < PAYS else self.look.number_heading
            self.sheet.write_string(row, column, name, form)

    def write(self, table: MainWager | Paytable, analysis: Analysis) -> None:
        """Write the figures, the lines and the envy prizes of one table."""
        sheet, look = self.sheet, self.look
        sheet.write_string(1, 0, table.name, look.text)
        if analysis.limit is not None:
            sheet.write_string(2, 0, WITHOUT_LIMITS, look.text)
        meters = self._meters(table, analysis) if isinstance(table, Paytable) else {}
        lines = _list_lines(table, analysis)
        figures, first = self.row, self.row + 8
        last = first + len(lines) - 1

        def column(number: int) -> str:
            return f"{xl_rowcol_to_cell(first, number)}:{xl_rowcol_to_cell(last, number)}"

        nets, returns = column(NET), column(RETURN)
        complete = f"COUNT({nets})=ROWS({nets})"
        # A row that a meter pays is a hit at any level.
        chances, bases = column(PROBABILITY), column(BASIS)
        hits = (
            f'SUMIFS({chances},{nets},">0",{bases},"<>{Basis.METER}")'
            f'+SUMIF({bases},"{Basis.METER}",{chances})'
        )
        edge, rtp = analysis.house_edge, analysis.return_to_player
        spread = analysis.variance
        self.row = figures
        for name, formula, value, form in (
            ("Total", f"SUM({column(COMBINATIONS)})", Fraction(analysis.total), look.count),
            ("House_edge", f'IF({complete},-SUM({returns}),"")', edge, look.percent),
            ("Return_to_player", f'IF({complete},1+SUM({returns}),"")', rtp, look.percent),
            ("Hit_frequency", hits,
             analysis.hit_frequency, look.percent),
            ("Variance", f'IF({complete},SUM({column(SQUARED)})-SUM({returns})^2,"")', spread,
             look.number),
        ):  # fmt: skip
            self._figure(name, formula, value, form)
        deviation = None if spread is None else root(spread, PLACES)
        self._figure("Standard_deviation", 'IF(ISNUMBER(Variance),SQRT(Variance),"")',
                     deviation, look.number, exactly=False)  # fmt: skip
        self.headings(first - 1, HEADINGS)
        for row, line in enumerate(lines, first):
            self._line(row, line, analysis.total, meters)
        sheet.freeze_panes(first, 1)
        self.row = last + 2
        if analysis.progressive is not None:
            self._long_run(analysis.progressive, lines, first, meters)
        if analysis.envy is not None:
            self._envy(analysis.envy, analysis)

    def _figure(
        self,
        name: str,
        formula: str,
        value: Fraction | None,
        form: Format,
        *,
        exactly: bool = True,
    ) -> None:
        """Write one named figure: its formula, and the exact submitted value as text."""
        self.sheet.write_string(self.row, 0, name.replace("_", " "), self.look.text)
        self._formula(self.row, 1, formula, form, value)
        if value is not None and exactly:
            exact_text = str(value.numerator) if value.denominator == 1 else exact(value)
            self.sheet.write_string(self.row, 2, f"exactly {exact_text}", self.look.indented)
        self._name(name, self.row, 1)
        self.row += 1

    def _formula(
        self, row: int, column: int, formula: str, form: Format, value: Fraction | None
    ) -> None:
        """Write a formula, with its value for a program that does not compute."""
        shown = "" if value is None else float(value)
        self.sheet.write_formula(row, column, f"={formula}", form, shown)

    def _name(self, name: str, row: int, column: int) -> None:
        sheet = f"'{self.sheet.name}'"
        self.book.define_name(f"{sheet}!{name}", f"={sheet}!{_cell(row, column)}")

    def _meters(self, table: Paytable, analysis: Analysis) -> dict[str, str]:
        """Write the levels of the meters as inputs; return their cells by level."""
        if table.progressive is None or analysis.progressive is None:
            return {}
        base = Fraction(table.progressive.base_wager_cents, 100)
        cells = {"": self._input("Base_wager", "Base wager, in dollars", base)}
        for meter in analysis.progressive.meters:
            level = None if meter.amount is None else meter.amount * base
            label = f"Meter {meter.level}, in dollars"
            cells[meter.level] = self._input(f"Meter_{meter.level}", label, level)
        self.row += 1
        return cells

    def _long_run(
        self,
        progressive: ProgressiveAnalysis,
        lines: Sequence[Line],
        first: int,
        meters: Mapping[str, str],
    ) -> None:
        """Write the average meters as inputs, and the return with them, if both are known."""
        least, greatest = progressive.long_run or (None, None)
        if least is None or least != greatest:
            return
        base = Fraction(progressive.base_wager_cents, 100)
        averages = {
            meter.level: self._input(
                f"Average_meter_{meter.level}",
                f"Average of meter {meter.level} at a win, in dollars",
                meter.long_run.least * base,
            )
            for meter in progressive.meters
            if meter.long_run is not None
        }
        parts = []
        for row, (_, payout) in enumerate(lines, first):
            chance, pays, net = (_cell(row, column) for column in (PROBABILITY, PAYS, NET))
            level = payout.meter if payout is not None else None
            paid = f"{pays}*{averages[level]}/{meters['']}" if level else f"(1+{net})"
            parts.append(f"{chance}*{paid}")
        self._figure("Long_run_return", "+".join(parts), least, self.look.percent)
        self.row += 1

    def _input(self, name: str, label: str, value: Fraction | None) -> str:
        self.sheet.write_string(self.row, 0, label, self.look.text)
        _amount(self.sheet, self.row, 1, value, self.look.input)
        self._name(name, self.row, 1)
        self.row += 1
        return _cell(self.row - 1, 1)

    def _line(self, row: int, line: Line, total: int, meters: Mapping[str, str]) -> None:
        sheet, look, (result, payout) = self.sheet, self.look, line
        cell = {number: xl_rowcol_to_cell(row, number) for number in range(len(HEADINGS))}
        sheet.write_string(row, HAND, result.name, look.text)
        sheet.write_string(row, PRINTED, result.pays, look.text)
        sheet.write_number(row, COMBINATIONS, result.combinations, look.count)
        chance = Fraction(result.combinations, total)
        self._formula(row, PROBABILITY, f"{cell[COMBINATIONS]}/Total", look.chance, chance)
        net: Fraction | None = Fraction(0)
        if payout is not None:
            net = self._pay(row, payout, cell, meters)
        else:
            net = result.contribution / result.probability if result.probability else net
            _amount(sheet, row, NET, net, look.input)
        for number, formula, value in (
            (RETURN, "{p}*{n}", None if net is None else chance * net),
            (SQUARED, "{p}*{n}^2", None if net is None else chance * net**2),
        ):
            product = formula.format(p=cell[PROBABILITY], n=cell[NET])
            whole = f'IF(ISNUMBER({cell[NET]}),{product},"")'
            self._formula(row, number, whole, look.chance, value)

    def _pay(
        self, row: int, payout: Payout, cell: Mapping[int, str], meters: Mapping[str, str]
    ) -> Fraction | None:
        """Write a pay as an input with its basis; return the net result, None with the meter."""
        sheet, look = self.sheet, self.look
        sheet.write_string(row, BASIS, str(payout.basis), look.text)
        if payout.basis is Basis.METER:
            level = meters[payout.meter or ""]
            formula = f'IF(ISNUMBER({level}),{cell[PAYS]}*{level}/{meters[""]}-1,"")'
            net = None
        elif payout.is_odds:
            formula = cell[PAYS] + ("" if payout.basis is Basis.TO else "-1")
            net = payout.net
        else:
            self._formula(row, NET, str(payout.net), look.number, payout.net)
            return payout.net
        _amount(sheet, row, PAYS, payout.amount, look.input)
        self._formula(row, NET, formula, look.number, net)
        return net

    def _envy(self, envy: EnvyAnalysis, analysis: Analysis) -> None:
        """Write the prizes for other players' hands, and the edge by the number of players."""
        sheet, look = self.sheet, self.look
        wager = self._input("Qualifying_wager", "Wager, in dollars",
                            Fraction(envy.wager_cents, 100))  # fmt: skip
        self.row += 1
        first = self.row + 1
        self.headings(self.row, (f"{envy.called.capitalize()} prize", *ENVY_HEADINGS))
        for row, prize in enumerate(envy.rows, first):
            cell = {number: xl_rowcol_to_cell(row, number) for number in range(len(HEADINGS))}
            sheet.write_string(row, HAND, prize.name, look.text)
            sheet.write_number(row, COMBINATIONS, prize.combinations, look.count)
            probability = f"{cell[COMBINATIONS]}/Total"
            self._formula(row, PROBABILITY, probability, look.chance, prize.probability)
            worth = prize.contribution / prize.probability if prize.probability else Fraction(0)
            dollars = worth * envy.wager_cents / 100
            _amount(sheet, row, PAYS, dollars, look.input)
            returned = f"{cell[PROBABILITY]}*{cell[PAYS]}/{wager}"
            self._formula(row, RETURN, returned, look.chance, prize.contribution)
        last = first + len(envy.rows) - 1
        self.row = last + 2
        span = f"{xl_rowcol_to_cell(first, RETURN)}:{xl_rowcol_to_cell(last, RETURN)}"
        self._figure("Per_other_player", f"SUM({span})", envy.per_other_player, look.percent)
        for players, edge in envy.house_edge_by_players.items():
            base_edge = analysis.house_edge or Fraction(0)
            prizes = (base_edge - edge) / envy.per_other_player if envy.per_other_player else 0
            self._figure(
                f"House_edge_players_{players}",
                f"House_edge-{prizes}*Per_other_player",
                edge,
                look.percent,
            )


def _list_lines(table: MainWager | Paytable, analysis: Analysis) -> list[Line]:
    """Return every way the wager ends; of the main wager by its net result."""
    if isinstance(table, MainWager):
        return [(row, None) for row in analysis.rows]
    payouts = (*(row.payout for row in table.rows), Payout(basis=Basis.LOSS))
    return [*zip(analysis.rows, payouts, strict=True)]


def _cell(row: int, column: int) -> str:
    """Return a cell's absolute reference: ``$B$4``."""
    return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))


def _amount(sheet: Worksheet, row: int, column: int, value: Fraction | None, form: Format) -> None:
    """Write an input: a number, a quotient for an endless decimal, or an empty cell."""
    if value is None:
        sheet.write_blank(row, column, None, form)
    elif Fraction(str(float(value))) == value:
        sheet.write_number(row, column, float(value), form)
    else:
        sheet.write_formula(row, column, f"={value}", form, float(value))


Table = MainWager | Paytable
LONGEST_NAME = 31
"""The most characters that a sheet's name may have."""


def begin_workbook(title: str, day: dt.date) -> tuple[io.BytesIO, Workbook, Look]:
    """Return the stream of a new workbook, the workbook, and the formats of its cells."""
    stream = io.BytesIO()
    book = Workbook(stream, {"in_memory": True})
    book.set_properties({"title": title, "created": dt.datetime.combine(day, dt.time())})
    return stream, book, Look(book)


def workbook(
    game: Game,
    tables: Sequence[tuple[Table, Analysis]],
    *,
    report_id: str,
) -> bytes:
    """Return the workbook of a filing; the same filing always gives the same bytes.

    Args:
        game: what the tables belong to.
        tables: the filed options of the main wager, then the paytables, each with its figures.
        report_id: the name of the filing, printed at the foot of every page.
    """
    stream, book, look = begin_workbook(f"{game.name}: PAR sheets", game.revised)
    names = game.called
    summary = Summary(book.add_worksheet("Summary"), look, game=game, report_id=report_id)
    for name, (table, analysis) in zip(sheet_names(tables), tables, strict=True):
        sheet = book.add_worksheet(name)
        Sheet(book, sheet, look, title=f"{game.name}: {names[table.wager]}").write(table, analysis)
        _print(sheet, report_id)
        summary.add(names[table.wager], name, analysis)
    _print(summary.sheet, report_id)
    book.close()
    return store_uncompressed(stream.getvalue(), game.revised)


def sheet_names(tables: Sequence[tuple[Table, Analysis]]) -> list[str]:
    """Return a sheet's name for each table: its id, with the wager's if tables share one."""
    ids = [table.id.casefold() for table, _ in tables]
    names = [
        table.id if ids.count(table.id.casefold()) == 1 else f"{table.wager} {table.id}"
        for table, _ in tables
    ]
    return [sheet_name(number, name) for number, name in enumerate(names, 1)]


def sheet_name(number: int, name: str) -> str:
    """Return a name that a sheet may have; one that is cut begins with the sheet's number."""
    return name if len(name) <= LONGEST_NAME else f"{number} {name}"[:LONGEST_NAME]


OPEN = "by meter"
"""Text for a figure in the summary that depends on a meter without a level."""

FIRST_FIGURE = 2
"""The first column of figures in the summary."""


class Summary:
    """The first sheet: one line per table, with formulas on the table's sheet."""

    COLUMNS = (("House edge", "House_edge", "percent"), ("Return", "Return_to_player", "percent"),
               ("Hit frequency", "Hit_frequency", "percent"),
               ("Standard deviation", "Standard_deviation", "number"))  # fmt: skip

    def __init__(self, sheet: Worksheet, look: Look, *, game: Game, report_id: str) -> None:
        """Begin the sheet."""
        self.sheet, self.look, self.row = sheet, look, FIRST_ROW + 1
        sheet.set_column(0, 0, 36)
        sheet.set_column(1, 1, 24)
        sheet.set_column(2, 5, 18)
        sheet.write_string(0, 0, f"{game.name}: PAR sheets", look.title)
        sheet.write_string(1, 0, report_id, look.text)
        headings = ("Wager", "Table", *(heading for heading, _, _ in self.COLUMNS))
        for column, heading in enumerate(headings):
            form = look.heading if column < FIRST_FIGURE else look.number_heading
            sheet.write_string(FIRST_ROW, column, heading, form)
        sheet.freeze_panes(FIRST_ROW + 1, 0)

    def add(self, wager: str, sheet: str, analysis: Analysis) -> None:
        """Add the line of one table."""
        self.sheet.write_string(self.row, 0, wager, self.look.text)
        self.sheet.write_url(self.row, 1, f"internal:'{sheet}'!A1", self.look.link, sheet)
        spread = None if analysis.variance is None else root(analysis.variance, PLACES)
        values = (analysis.house_edge, analysis.return_to_player, analysis.hit_frequency, spread)
        for number, ((_, name, form), value) in enumerate(
            zip(self.COLUMNS, values, strict=True), FIRST_FIGURE
        ):
            cell = f"'{sheet}'!{name}"
            self.sheet.write_formula(
                self.row, number, f'=IF(ISNUMBER({cell}),{cell},"{OPEN}")',
                getattr(self.look, form), OPEN if value is None else float(value),
            )  # fmt: skip
        self.row += 1


def _print(sheet: Worksheet, report_id: str) -> None:
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_footer(f"&L{report_id}&C&A&R&P / &N")


def store_uncompressed(data: bytes, date: dt.date) -> bytes:
    """Return the workbook without compression."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    return zip_uncompressed(files, date, mode=0o600)


def zip_uncompressed(files: Mapping[str, bytes], date: dt.date, *, mode: int) -> bytes:
    """Return a zip of files, each with this date and this mode, in the order of the mapping.

    Nothing is compressed: two versions of zlib do not give the same bytes.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, date_time=(date.year, date.month, date.day, 0, 0, 0))
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = mode << 16
            archive.writestr(entry, data)
    return stream.getvalue()


FIRST = 4
"""The row of the headings of a sheet's first table."""

WIDTHS = (30, 14)

BEST = "best play"
"""The heading of the best play's column."""


def house_way_workbook(comparison: HouseWayComparison) -> bytes:
    """Return the workbook; the same comparison always gives the same bytes."""
    revised, title = comparison.game.revised, f"{comparison.game.name}: house ways"
    stream, book, look = begin_workbook(title, revised)
    for number, matrix in enumerate(comparison.matrices, 1):
        sheet = book.add_worksheet(sheet_name(number, matrix.option.id))
        sheet.write_string(0, 0, f"{title}, {matrix.option.name}", look.title)
        sheet.set_column(0, 0, WIDTHS[0])
        sheet.set_column(1, len(comparison.ways) + 1, WIDTHS[1])
        _write(sheet, look, [way.id for way in comparison.ways], matrix)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
    book.close()
    return store_uncompressed(stream.getvalue(), revised)


def _write(sheet: Worksheet, look: Look, ways: list[str], matrix: HouseWayMatrix) -> None:
    """Write the edges, the cost of each play as formulas over them, and the edges as text."""
    height, last = len(ways) + 4, len(ways) + 1
    best = [BEST] if matrix.best else []

    def table(
        row: int, title: str, names: list[str], write: Callable[[int, int, int], None]
    ) -> int:
        """Write one table with a cell writer; return the row of the next one's headings."""
        sheet.write_string(row - 1, 0, title, look.heading)
        sheet.write_string(row, 0, "Dealer's house way; the player's across", look.heading)
        for column, name in enumerate(names, 1):
            sheet.write_string(row, column, name, look.number_heading)
        for place, way in enumerate(ways, 1):
            sheet.write_string(row + place, 0, way, look.text)
            for column in range(1, len(names) + 1):
                write(row + place, place, column)
        return row + height

    def edge(place: int, column: int) -> Fraction:
        dealer = ways[place - 1]
        return matrix.best[dealer] if column == last else matrix.edges[dealer, ways[column - 1]]

    def number(line: int, place: int, column: int) -> None:
        sheet.write_number(line, column, float(edge(place, column)), look.percent)

    def cost(line: int, place: int, column: int) -> None:
        least = xl_rowcol_to_cell(FIRST + place, last, col_abs=True)
        cell = xl_rowcol_to_cell(FIRST + place, column)
        value = float(edge(place, column) - edge(place, last))
        sheet.write_formula(line, column, f"={cell}-{least}", look.percent, value)

    def text(line: int, place: int, column: int) -> None:
        sheet.write_string(line, column, exact(edge(place, column)), look.text)

    row = table(FIRST, "House edge", ways + best, number)
    if best:
        row = table(row, "Cost against the best play", ways, cost)
    table(row, "Exact house edge", ways + best, text)
