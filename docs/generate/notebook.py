"""The page of the notebook, with the outputs that its test stores after a run."""

import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[1] / "tutorial" / "design-a-paytable.ipynb"


def notebook_pages() -> dict[str, str]:
    """Return the page of the notebook and its pictures."""
    parts: list[str] = []
    files: dict[str, str] = {}
    for cell in json.loads(NOTEBOOK.read_bytes())["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", ()):
            for kind, shown in output["data"].items():
                name = f"../pictures/{NOTEBOOK.stem}-{cell['id']}.svg"
                files |= {name: f"{shown}\n"} if kind == "image/svg+xml" else {}
                parts.append(f"![Drawing that the cell returns]({name})" if name in files
                             else f"```text\n{shown}\n```")  # fmt: skip
    parts[0] += f" [Download the notebook]({NOTEBOOK.name})."
    return files | {f"../tutorial/{NOTEBOOK.stem}.md": "\n\n".join(parts) + "\n"}
