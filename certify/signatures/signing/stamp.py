"""The visible block of a signature: a few lines of text in an embedded font, black on white."""

from io import BytesIO
from pathlib import Path

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


class EmbeddedFont(FontEngineFactory):
    """Embeds the glyphs that are used; pyHanko's own factory leaves the file open."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create_font_engine(
        self, writer: BasePdfFileWriter, obj_stream: ObjectStream | None = None
    ) -> FontEngine:
        """Load the font into one document."""
        handle = BytesIO(self.path.read_bytes())
        return GlyphAccumulator(writer, handle, font_size=FONT_SIZE, obj_stream=obj_stream)


def stamp_style(lines: tuple[str, ...]) -> TextStampStyle:
    """Return the style that draws lines in the bundled Noto Sans, shrunk to the field if need be.

    No opacity and no background: either would break PDF/A-3.

    Raises:
        NotConfigured: the font cannot be read, or has no glyph for a character.
    """
    font = templates() / "fonts" / "NotoSans-Regular.ttf"
    _refuse_missing_glyphs("".join(lines), font)
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
        stamp_text="\n".join(lines).replace("%", "%%"),
    )


def _refuse_missing_glyphs(text: str, font: Path) -> None:
    try:
        with TTFont(font, lazy=True) as opened:
            covered = frozenset(opened.getBestCmap())
    except OSError as error:
        raise NotConfigured(
            f"The font {font} of the signature block cannot be read.",
            remedy="Install certify again: its fonts are part of it.",
        ) from error
    drawn = {letter for letter in text if ord(letter) in covered and letter.isprintable()}
    missing = sorted(set(text) - drawn)
    if missing:
        listed = ", ".join(f"{character!r} (U+{ord(character):04X})" for character in missing)
        raise NotConfigured(
            f"The signature block cannot be printed: the font has no glyph for {listed}.",
            remedy="Write what the signature states of its signer in letters that the font has.",
        )
