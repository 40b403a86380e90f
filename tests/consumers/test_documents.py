"""Files with objects that are nested as deep as anybody likes: they are read, or a line says why not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from crdlint.consumers.objects import documents, resources
from crdlint.errors import UsageError
from crdlint.yamltext.parse import MAX_DEPTH
from tests.cli.run import crdlint, here

TOO_DEEP = f"collections are nested deeper than {MAX_DEPTH} levels"
OBJECT: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret"}
OPENINGS = {"list": "[", "mapping": '{"a":', "items": '{"kind":"List","items":[', "object": '{"kind":"A","spec":['}
CLOSINGS = {"list": "]", "mapping": "}", "items": "]}", "object": "]}"}


def deep(form: str, depth: int) -> str:
    return OPENINGS[form] * depth + "0" + CLOSINGS[form] * depth


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 2, 500, 950, 5_000, 100_000])
@pytest.mark.parametrize("form", OPENINGS)
def test_any_depth_ends_in_objects_or_a_clear_error(form: str, depth: int) -> None:
    whole = deep(form, depth // len(re.findall(r"[\[{]", OPENINGS[form])))
    for text in (whole, f"{whole}{{}}", f"{{}}\n{whole}"):
        if depth > MAX_DEPTH:
            with pytest.raises(UsageError, match=rf"^x\.json:[12]:1: {TOO_DEEP}$"):
                list(documents("x.json", text.encode()))
        else:
            found = list(documents("x.json", text.encode()))
            assert len(found) == 1 + ("{}" in text)
            assert sum(1 for document in found for _ in resources(document)) == (form == "object")
    with pytest.raises(UsageError, match=r"^x\.json:1:\d+: .+$"):
        list(documents("x.json", whole[: len(whole) // 2].encode()))


@pytest.mark.parametrize("depth", [MAX_DEPTH - 2, 500, 950, 5_000])
@pytest.mark.parametrize("asked", ["current", "paused"])
@pytest.mark.parametrize("form", ["list", "mapping"])
def test_any_part_of_an_object_may_be_deep(form: str, asked: str, depth: int, tmp_path: Path) -> None:
    """What judges objects recurses: it is shown none that are deeper than it can go."""
    parts: list[dict[str, Any]] = [
        {"metadata": {"name": "X"}},
        {"metadata": {"name": "a", "generation": "X"}},
        {"status": "X"},
        {"status": {"observedGeneration": "X"}},
        {"apiVersion": "X"},
        {"spec": {"paused": "X", "clusterName": "X"}},
    ]
    for part in parts:
        text = json.dumps({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", **part})
        (tmp_path / "x.json").write_text(text.replace('"X"', deep(form, depth - text.count("{"))), "utf-8")
        code, _ = here(tmp_path, "status", "--for", asked, "x.json")
        assert (code == 2) is (depth > MAX_DEPTH)


@pytest.mark.parametrize("depth", [1, 10, 100_000])
def test_lists_in_lists_give_their_objects_in_order(depth: int) -> None:
    document: Any = [{**OBJECT, "metadata": {"name": str(number)}} for number in range(3)]
    for level in range(depth):
        document = {"kind": "List", "items": document} if level % 2 else [document]
    assert [resource["metadata"]["name"] for resource in resources(document)] == ["0", "1", "2"]
    while document and isinstance(document, list | dict) and "metadata" not in document:
        # Piece by piece: to free it at once takes as many frames as it is deep.
        document = document["items"] if isinstance(document, dict) else document[0]


@pytest.mark.parametrize("asked", ["current", "paused"])
def test_the_command_says_it_in_one_line(asked: str, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000, "utf-8")
    done = crdlint(tmp_path, "status", "--for", asked, "deep.json")
    assert done.returncode == 2
    assert done.stderr == f"crdlint: deep.json:1:1: {TOO_DEEP}\n".encode()
