"""The URL of a citation: absolute where the public URL of the service is known, else a path."""

from ipaddress import ip_address
from urllib.parse import quote

from starlette.requests import Request

from footnotary.domain.outcome import Citation
from footnotary.settings import FORWARDED_HOST, Settings, proxy_networks


def public_base_url(request: Request, settings: Settings) -> str | None:
    """`public_url` of the settings, else the host that a trusted proxy forwards, else None.

    The Host header is never used, because the client chooses it. If several hosts are forwarded, none is used.
    """
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    if request.client is None or not _is_trusted(request.client.host, settings):
        return None
    host, scheme = _only(request, "x-forwarded-host"), _only(request, "x-forwarded-proto") or "http"
    if host is None or not FORWARDED_HOST.fullmatch(host) or scheme not in ("http", "https"):
        return None
    return f"{scheme}://{host}"


def citation_url(citation: Citation, project: str | None, base_url: str | None) -> str:
    """The URL of the cited source; `#id` for a passage of the request, which has no project."""
    if project is None:
        return f"#{quote(citation.id)}"
    sources = f"{base_url or ''}/v1/projects/{quote(project, safe='')}/sources"
    return f"{sources}/{quote(citation.id, safe='')}?version={citation.document_sha256}"


def _is_trusted(address: str, settings: Settings) -> bool:
    try:
        peer = ip_address(address)
    except ValueError:
        return False
    return any(peer in network for network in proxy_networks(settings.trusted_proxies))


def _only(request: Request, header: str) -> str | None:
    values = request.headers.getlist(header)
    return values[0].strip().lower() if len(values) == 1 and "," not in values[0] else None
