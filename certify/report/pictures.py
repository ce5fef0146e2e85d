"""Pictures as SVG files of their own, one drawing under the other."""

from collections.abc import Mapping
from typing import Any

from certify.report.charts import Chart
from certify.report.compose import compose

GAP = 34
"""Units above each drawing, for its title."""

MARGIN = 20


def svg(title: str, charts: Mapping[str, Chart]) -> bytes:
    """Return an SVG file with these drawings, each under its title."""
    pictures: list[dict[str, Any]] = []
    top = GAP
    for name, chart in charts.items():
        pictures.append({"title": name, "chart": chart, "top": top})
        top += chart.height + GAP
    view = {
        "title": title,
        "width": max(chart.width for chart in charts.values()) + MARGIN,
        "height": top,
        "pictures": pictures,
    }
    return compose("pictures.svg.j2", view).encode()
