"""Dependencies of the routes: the credential with the minimum role a route requires, and the service state."""

from typing import Annotated, TypeAlias

from fastapi import Depends

from footnotary.service.auth import Credential, require
from footnotary.service.state import ServiceState, service_of

Reader: TypeAlias = Annotated[Credential, Depends(require("reader"))]
Writer: TypeAlias = Annotated[Credential, Depends(require("writer"))]
Admin: TypeAlias = Annotated[Credential, Depends(require("admin"))]
Service: TypeAlias = Annotated[ServiceState, Depends(service_of)]
