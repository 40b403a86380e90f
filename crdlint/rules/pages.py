"""Write, or with ``--check`` only compare, the pages that are made from the rules."""

from __future__ import annotations

import sys
from pathlib import Path

from crdlint.project import pack_directory
from crdlint.rules.catalogue import core_rules
from crdlint.rules.prose import readme_table, rules_page

_BEGIN, _END = "<!-- rules: begin (made by `python -m crdlint.rules.pages`) -->\n", "<!-- rules: end -->\n"


def pages(root: Path) -> dict[Path, str]:
    """The generated pages of a checkout, and what they should hold."""
    readme = root / "README.md"
    head, _, rest = readme.read_text("utf-8").partition(_BEGIN)
    tail = rest.partition(_END)[2]
    return {
        readme: f"{head}{_BEGIN}{readme_table(core_rules())}{_END}{tail}",
        root / "rules" / "README.md": rules_page(core_rules()),
    }


def main() -> int:
    stale = [
        path
        for path, text in pages(pack_directory().parent).items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.name} is stale: run python -m crdlint.rules.pages")
        return 1 if stale else 0
    for path, text in pages(pack_directory().parent).items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
