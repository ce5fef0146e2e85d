"""The page of the notebook, with the outputs that its test stores after a run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "tutorial" / "design-a-paytable.ipynb"

PICTURE = "image/svg+xml"


def notebook_pages() -> dict[str, str]:
    """Return the page of the notebook and its pictures."""
    cells = json.loads(NOTEBOOK.read_bytes())["cells"]
    parts, files = [], {}
    for cell in cells:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", ()):
            data: Mapping[str, Any] = output["data"]
            if PICTURE in data:
                name = f"../pictures/{NOTEBOOK.stem}-{cell['id']}.svg"
                files[name] = f"{data[PICTURE]}\n"
                parts.append(f"![Drawing that the cell returns]({name})")
            else:
                parts.append(f"```text\n{data['text/plain']}\n```")
    parts[0] += f" [Download the notebook]({NOTEBOOK.name})."
    return files | {f"../tutorial/{NOTEBOOK.stem}.md": "\n\n".join(parts) + "\n"}
