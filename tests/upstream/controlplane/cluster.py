"""The control plane of a cluster on loopback: etcd, kube-apiserver, and the clients kubectl and Helm."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.upstream.controlplane.api_client import ApiClient, ApiError, wait_until
from tests.upstream.controlplane.go_programs import ETCD, HELM, KUBE_APISERVER, KUBECTL, binary

HOST = "127.0.0.1"
START_SECONDS = 60.0
# Two programs of other users may take a port between its choice and its use.
ATTEMPTS = 3
STOP_SECONDS = 15.0
CLIENT_SECONDS = 60.0
SUPERVISOR = Path(__file__).with_name("supervisor.py")


class NotStarted(Exception):
    """The control plane did not come up; the message has the end of the log."""


@dataclass(frozen=True)
class Cluster:
    """A running control plane."""

    folder: Path
    api: ApiClient
    supervisor: subprocess.Popen[bytes]
    kubeconfig: Path

    @classmethod
    def start(cls) -> Cluster:
        """Start one. Raises `go_programs.Unavailable` where the programs cannot be had."""
        etcd, apiserver = binary(ETCD), binary(KUBE_APISERVER)
        for attempt in range(1, ATTEMPTS + 1):
            with contextlib.suppress(NotStarted) if attempt < ATTEMPTS else contextlib.nullcontext():
                return _start(cls, etcd, apiserver)
        raise AssertionError("the last attempt returns or raises")

    def stop(self) -> None:
        """Stop it and remove all that it wrote."""
        self.api.close()
        _end(self.supervisor, self.folder)

    def kubectl(self, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        return self._run([str(binary(KUBECTL)), *arguments], stdin)

    def helm(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run([str(binary(HELM)), *arguments])

    def _run(self, command: list[str], stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        home = self.folder / "home"
        environment = {"PATH": os.defpath, "HOME": str(home), "KUBECONFIG": str(self.kubeconfig), "LC_ALL": "C"}
        return subprocess.run(
            command, env=environment, input=stdin or "", capture_output=True, text=True, timeout=CLIENT_SECONDS
        )


def _start(build: Callable[..., Cluster], etcd: Path, apiserver: Path) -> Cluster:
    folder = Path(tempfile.mkdtemp(prefix="crdlint-cluster-"))
    token = secrets.token_hex(16)
    port, commands = _prepare(folder, token, etcd, apiserver)
    supervisor = subprocess.Popen(
        [sys.executable, "-S", str(SUPERVISOR), str(folder), json.dumps(commands)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        api = _connect(supervisor, folder, f"https://{HOST}:{port}", token)
    except BaseException:
        _end(supervisor, folder)
        raise
    return build(folder, api, supervisor, _write_kubeconfig(folder, api))


def _prepare(folder: Path, token: str, etcd: Path, apiserver: Path) -> tuple[int, dict[str, list[str]]]:
    """Write what the programs read; give the API server's port and the commands by the names of their logs."""
    for name in ("etcd", "certificates", "home"):
        (folder / name).mkdir()
    (folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
    key = folder / "service-account.key"
    key.write_text(_private_key())
    client_port, peer_port, port = _free_ports(3)
    client, peer = f"http://{HOST}:{client_port}", f"http://{HOST}:{peer_port}"
    etcd_flags = {
        "data-dir": folder / "etcd",
        "listen-client-urls": client,
        "advertise-client-urls": client,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": f"default={peer}",
        "unsafe-no-fsync": "true",
        "log-level": "warn",
    }
    apiserver_flags = {
        "etcd-servers": client,
        "bind-address": HOST,
        "advertise-address": HOST,
        "endpoint-reconciler-type": "none",
        "secure-port": port,
        "cert-dir": folder / "certificates",
        "token-auth-file": folder / "tokens.csv",
        "authorization-mode": "RBAC",
        "service-account-issuer": "https://kubernetes.default.svc",
        "service-account-key-file": key,
        "service-account-signing-key-file": key,
        "service-cluster-ip-range": "10.0.0.0/24",
        "disable-admission-plugins": "ServiceAccount",
        # Tests send many requests at once, and nobody else does.
        "enable-priority-and-fairness": "false",
    }
    return port, {
        "etcd.log": [str(etcd), *_flags(etcd_flags)],
        "apiserver.log": [str(apiserver), *_flags(apiserver_flags)],
    }


def _flags(values: dict[str, Any]) -> list[str]:
    return [f"--{name}={value}" for name, value in values.items()]


def _free_ports(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for item in sockets:
            item.bind((HOST, 0))
        return [item.getsockname()[1] for item in sockets]


def _private_key() -> str:
    """A new private key on the curve P-256, as PEM (RFC 5915, without the public key, which follows from it)."""
    # Any number below the order of the curve is a key; clearing the highest bit makes it one.
    number = secrets.randbits(255) | 1
    der = bytes.fromhex("30310201010420") + number.to_bytes(32, "big") + bytes.fromhex("a00a06082a8648ce3d030107")
    return f"-----BEGIN EC PRIVATE KEY-----\n{b64encode(der).decode()}\n-----END EC PRIVATE KEY-----\n"


def _connect(supervisor: subprocess.Popen[bytes], folder: Path, url: str, token: str) -> ApiClient:
    certificate = folder / "certificates" / "apiserver.crt"
    apis: list[ApiClient] = []

    def is_ready() -> bool:
        if supervisor.poll() is not None:
            raise NotStarted(supervisor.stderr.read().decode() if supervisor.stderr else "")
        if not apis:
            with contextlib.suppress(OSError):
                apis.append(ApiClient(url, token, ssl.create_default_context(cafile=str(certificate))))
        return bool(apis) and _answers(apis[0])

    wait_until(is_ready, "the API server is ready", START_SECONDS)
    return apis[0]


def _answers(api: ApiClient) -> bool:
    try:
        api.get("/readyz")
        # Helm keeps its releases there.
        api.get("/api/v1/namespaces/default")
    except (ApiError, OSError):
        return False
    return True


def _write_kubeconfig(folder: Path, api: ApiClient) -> Path:
    authority = str(folder / "certificates" / "apiserver.crt")
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": {"server": api.url, "certificate-authority": authority}}],
        "users": [{"name": "admin", "user": {"token": api.token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
        "current-context": "test",
    }
    path = folder / "kubeconfig"
    path.touch(mode=0o600)
    path.write_text(json.dumps(config))
    return path


def _end(supervisor: subprocess.Popen[bytes], folder: Path) -> None:
    if supervisor.stdin:
        supervisor.stdin.close()
    try:
        supervisor.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()
    if supervisor.stderr:
        supervisor.stderr.close()
    shutil.rmtree(folder, ignore_errors=True)
