"""A thin client of the Kubernetes API: JSON over HTTPS, one kept connection a thread."""

from __future__ import annotations

import http.client
import itertools
import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]

MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
NAMESPACE = "default"
REQUEST_SECONDS = 60.0
SETTLE_SECONDS = 30.0
_TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
_AGGREGATED_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
# Names of printer columns that tell which revision of a CRD is being served.
_revisions = itertools.count(1)


class ApiError(Exception):
    """The API server refused a request."""

    def __init__(self, code: int, body: Json) -> None:
        super().__init__(f"{code}: {body.get('message')}")
        self.code = code
        self.message: str = body.get("message") or ""
        self.causes: list[Json] = (body.get("details") or {}).get("causes") or []


@dataclass(frozen=True)
class Resource:
    """Where the objects of one version of a CRD are found."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}"

    @property
    def collection(self) -> str:
        namespace = f"/namespaces/{NAMESPACE}" if self.namespaced else ""
        return f"/apis/{self.api_version}{namespace}/{self.plural}"

    def path(self, name: str) -> str:
        return f"{self.collection}/{name}"

    def new(self, name: str, **fields: Any) -> Json:
        """An object to create."""
        return {"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": name}, **fields}


def resource_of(crd: Mapping[str, Any], version: str | None = None) -> Resource:
    """The objects of a CRD in a version, by default the storage version."""
    spec = crd["spec"]
    name = version or next(item["name"] for item in spec["versions"] if item["storage"])
    return Resource(spec["group"], name, spec["names"]["plural"], spec["names"]["kind"], spec["scope"] == "Namespaced")


@dataclass
class ApiClient:
    """Requests to one API server."""

    url: str
    token: str
    context: ssl.SSLContext
    _local: threading.local = field(default_factory=threading.local)
    _opened: list[http.client.HTTPSConnection] = field(default_factory=list)

    def close(self) -> None:
        for connection in self._opened:
            connection.close()

    # Requests.

    def get(self, path: str, accept: str = "application/json") -> Json:
        return self.request("GET", path, accept=accept)

    def create(self, path: str, body: Any, *, dry_run: bool = False) -> Json:
        return self.request("POST", path + ("?dryRun=All" if dry_run else ""), body)

    def replace(self, path: str, body: Any) -> Json:
        return self.request("PUT", path, body)

    def patch(self, path: str, body: Any, content_type: str = MERGE_PATCH) -> Json:
        query = "?fieldManager=crdlint-tests&force=true" if content_type == APPLY_PATCH else ""
        return self.request("PATCH", path + query, body, content_type)

    def delete(self, path: str) -> Json:
        return self.request("DELETE", path)

    def request(
        self,
        verb: str,
        path: str,
        body: Any = None,
        content_type: str = "application/json",
        accept: str = "application/json",
    ) -> Json:
        """The answer's JSON. Raises `ApiError` for a refusal."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept": accept, "Content-Type": content_type}
        data = None if body is None else json.dumps(body).encode()
        response = self._send(verb, path, data, headers)
        answer = _decoded(response.read())
        if response.status >= 400:
            raise ApiError(response.status, answer)
        return answer

    def _send(self, verb: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        connection = self._connection()
        try:
            connection.request(verb, path, data, headers)
            return connection.getresponse()
        except (http.client.HTTPException, ConnectionError):
            # The server may close a connection that was idle; the next request opens it again.
            connection.close()
            connection.request(verb, path, data, headers)
            return connection.getresponse()

    def _connection(self) -> http.client.HTTPSConnection:
        connection: http.client.HTTPSConnection | None = getattr(self._local, "connection", None)
        if connection is None:
            address = urlsplit(self.url)
            connection = http.client.HTTPSConnection(
                address.hostname or "", address.port, timeout=REQUEST_SECONDS, context=self.context
            )
            self._local.connection = connection
            self._opened.append(connection)
        return connection

    # CRDs.

    def apply_crd(self, crd: Json) -> Resource:
        """Create a CRD, or update the one of this name, and wait until the server works by it.

        The server takes up a change some time after it has accepted it. A printer column of a new name in each version
        shows when: it appears in tables together with the new schema. Raises `ApiError` if the CRD is refused.
        """
        marked = with_revision(crd, f"Revision {next(_revisions)}")
        path = f"{CRDS}/{crd['metadata']['name']}"
        try:
            stored = self.get(path)
        except ApiError as error:
            if error.code != 404:
                raise
            self.create(CRDS, marked)
            wait_until(partial(self._is_aged, path), f"{path} established")
        else:
            marked["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"]
            self.replace(path, marked)
        self._wait_until_served(marked)
        return resource_of(marked)

    def _is_aged(self, path: str) -> bool:
        """Make a CRD look as if it had been established for long, once it is.

        A server lets a request to create the first objects wait for two seconds where it was not, for the sake of
        servers beside it.
        """
        stored = self.get(path)
        conditions = {item["type"]: item for item in stored["status"].get("conditions") or ()}
        established = conditions.get("Established", {})
        if established.get("status") != "True":
            return False
        established["lastTransitionTime"] = "2020-01-01T00:00:00Z"
        try:
            self.replace(f"{path}/status", stored)
        except ApiError as error:
            if error.code != 409:
                raise
            return False
        return True

    def _wait_until_served(self, crd: Json) -> None:
        for version in crd["spec"]["versions"]:
            if version["served"]:
                resource = resource_of(crd, version["name"])
                revision = version["additionalPrinterColumns"][-1]["name"]
                wait_until(partial(self._shows_column, resource, revision), f"{resource} served")

    def _shows_column(self, resource: Resource, name: str) -> bool:
        try:
            table = self.get(f"{resource.collection}?limit=1", accept=_TABLE)
        except ApiError as error:
            if error.code not in (404, 429, 503):
                raise
            return False
        return any(column["name"] == name for column in table.get("columnDefinitions", ()))

    def wait_until_discovered(self, resource: Resource) -> None:
        """Wait until clients that ask which resources there are, such as kubectl and Helm, find this one."""
        wait_until(lambda: self._is_discovered(resource), f"{resource} discovered")

    def _is_discovered(self, resource: Resource) -> bool:
        for group in self.get("/apis", accept=_AGGREGATED_DISCOVERY)["items"]:
            if group["metadata"]["name"] == resource.group:
                return any(
                    found["resource"] == resource.plural
                    for version in group["versions"]
                    if version["version"] == resource.version
                    for found in version.get("resources", ())
                )
        return False


def with_revision(crd: Json, name: str) -> Json:
    """A copy of the CRD with one more printer column in each version."""
    column = {"name": name, "type": "string", "jsonPath": ".metadata.name"}
    versions = [
        {**version, "additionalPrinterColumns": [*(version.get("additionalPrinterColumns") or ()), column]}
        for version in crd["spec"]["versions"]
    ]
    return {**crd, "metadata": dict(crd["metadata"]), "spec": {**crd["spec"], "versions": versions}}


def wait_until(holds: Callable[[], bool], what: str, seconds: float = SETTLE_SECONDS) -> None:
    """Ask again and again until something holds."""
    deadline = time.monotonic() + seconds
    pause = 0.005
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not so after {seconds:.0f} s: {what}")
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


def _decoded(data: bytes) -> Json:
    try:
        answer = json.loads(data)
    except ValueError:
        return {"message": data.decode(errors="replace")}
    return answer if isinstance(answer, dict) else {"message": str(answer)}
