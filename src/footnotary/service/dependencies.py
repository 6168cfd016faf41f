"""Dependencies of the routes: the credential with the minimum role a route requires, and the service state."""

from typing import Annotated, TypeAlias

from fastapi import Depends

from footnotary.service.auth.authentication import Credential, require_role
from footnotary.service.state import ServiceState, service_of

ReaderCredential: TypeAlias = Annotated[Credential, Depends(require_role("reader"))]
WriterCredential: TypeAlias = Annotated[Credential, Depends(require_role("writer"))]
AdminCredential: TypeAlias = Annotated[Credential, Depends(require_role("admin"))]
InjectedService: TypeAlias = Annotated[ServiceState, Depends(service_of)]
