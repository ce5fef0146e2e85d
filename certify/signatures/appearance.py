"""The visible stamp of a signature: its lines in the bundled font."""

from io import BytesIO
from pathlib import Path
from textwrap import wrap

from fontTools.ttLib import TTFont
from pyhanko.pdf_utils import layout
from pyhanko.pdf_utils.font.api import FontEngine, FontEngineFactory
from pyhanko.pdf_utils.font.opentype import GlyphAccumulator
from pyhanko.pdf_utils.text import TextBoxStyle
from pyhanko.pdf_utils.writer import BasePdfFileWriter
from pyhanko.pdf_utils.xref import ObjectStream
from pyhanko.stamp import TextStampStyle

from certify.errors import NotConfigured
from certify.library import templates

FONT_SIZE = 8


LEADING = 10


MARGIN = 5


COLUMNS = 105
"""Characters that fit into a line of a field of the full width of the text."""


SMALLEST = 0.6
"""The most that a stamp is shrunk to fit its field: to 4.8 points."""


UNEMBEDDED = frozenset({"GDEF", "GPOS", "GSUB"})
"""Tables that place glyphs and choose among them, which is done when a stamp is drawn."""


class EmbeddedFont(FontEngineFactory):
    """Embeds the glyphs that are used; pyHanko's own factory leaves the file open."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create_font_engine(
        self, writer: BasePdfFileWriter, obj_stream: ObjectStream | None = None
    ) -> FontEngine:
        """Load the font into one document."""
        handle = BytesIO(self.path.read_bytes())
        engine = GlyphAccumulator(writer, handle, font_size=FONT_SIZE, obj_stream=obj_stream)
        # They are not embedded, but fontTools would parse them first. HarfBuzz has the whole font.
        for table in UNEMBEDDED & set(engine.tt.keys()):
            del engine.tt[table]
        return engine


def stamp_style(lines: tuple[str, ...], height: float) -> TextStampStyle:
    """Return the style that draws lines in the bundled Noto Sans, shrunk to the field if need be.

    No opacity and no background: either would break PDF/A-3.

    Args:
        lines: the text.
        height: that of the field in points; 0 if it is invisible.

    Raises:
        NotConfigured: the font cannot be read or has no glyph for a character, or the text would
            be too small to read.
    """
    font = templates() / "fonts" / "NotoSans-Regular.ttf"
    _refuse_missing_glyphs("".join(lines), font)
    drawn = [part for line in lines for part in wrap(line, COLUMNS, break_on_hyphens=False)]
    room = int((height - 2 * MARGIN) / LEADING / SMALLEST)
    if height and len(drawn) > room:
        raise NotConfigured(
            f"The signature needs {len(drawn)} lines, and its field has room for {room}.",
            remedy="Shorten the statement. Documents of certify 0.2 have no room for one.",
        )
    rule = layout.SimpleBoxLayoutRule(
        x_align=layout.AxisAlignment.ALIGN_MIN,
        y_align=layout.AxisAlignment.ALIGN_MID,
        margins=layout.Margins(left=MARGIN, right=MARGIN, top=MARGIN, bottom=MARGIN),
        inner_content_scaling=layout.InnerScaling.SHRINK_TO_FIT,
    )
    unmoved = layout.SimpleBoxLayoutRule(
        x_align=layout.AxisAlignment.ALIGN_MIN, y_align=layout.AxisAlignment.ALIGN_MIN
    )
    return TextStampStyle(
        border_width=0,  # the box around the field is the document's
        text_box_style=TextBoxStyle(
            font=EmbeddedFont(font),
            font_size=FONT_SIZE,
            leading=LEADING,
            box_layout_rule=unmoved,
        ),
        inner_content_layout=rule,
        # pyHanko interpolates with %: a percent sign of ours is doubled
        stamp_text="\n".join(drawn).replace("%", "%%"),
    )


def _refuse_missing_glyphs(text: str, font: Path) -> None:
    try:
        with TTFont(font, lazy=True) as opened:
            covered = frozenset(opened.getBestCmap())
    except OSError as error:
        raise NotConfigured(
            f"The font {font} of the signature block cannot be read.",
            remedy="Install certify again: it includes its fonts.",
        ) from error
    drawn = {letter for letter in text if ord(letter) in covered and letter.isprintable()}
    missing = sorted(set(text) - drawn)
    if missing:
        listed = ", ".join(f"{character!r} (U+{ord(character):04X})" for character in missing)
        raise NotConfigured(
            f"The signature block cannot be printed: the font has no glyph for {listed}.",
            remedy="Use characters of the font for the facts about the signer.",
        )
