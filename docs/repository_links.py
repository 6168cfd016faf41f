"""For the site: links from a page to a file outside `docs/` lead to that file in the repository.

In a checkout and on the repository's own pages such links work as they are; a site holds only `docs/`.
"""

import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"\]\((?![a-z]+:|#|/)([^)#\s]+)((?:#[^)\s]*)?)\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    folder = Path(page.file.abs_src_path).parent
    docs = Path(config["docs_dir"])

    def in_repository(link: re.Match[str]) -> str:
        target = (folder / link[1]).resolve()
        if target.is_relative_to(docs):
            return link[0]
        if not target.exists():
            raise PluginError(f"{page.file.src_uri}: there is no {link[1]}")
        kind = "tree" if target.is_dir() else "blob"
        return f"]({config['repo_url'].rstrip('/')}/{kind}/main/{target.relative_to(ROOT).as_posix()}{link[2]})"

    return _LINK.sub(in_repository, markdown)
