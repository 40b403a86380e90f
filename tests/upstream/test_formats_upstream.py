"""Formats of strings against those of kube-openapi."""

from __future__ import annotations

import json
import random

import pytest

from crdlint.crd.formats import matches_format
from tests.stored.crds import TEXT, array, crd, obj
from tests.upstream.asking import Upstream

SEED = 11
SEEDS = {
    "email": (
        *(
            "a@b",
            "a.b+c@d.example",
            "A <a@b>",
            '"A B" <a@b>',
            "A B <a@b> (c)",
            "a@b (c (d) e)",
            "(c) a@b",
            "ä@ö",
            "a@[::1]",
        ),
        *(
            "a@[127.0.0.1]",
            "a@[1.2]",
            '"a b"@c',
            '""@c',
            '"a\\"b"@c',
            "g: a@b;",
            "g: a@b, c@d;",
            "g:;",
            "a@b, c@d",
            "a..b@c",
        ),
        *(
            "=?utf-8?q?a=20b?= <a@b>",
            "=?big5?b?YQ==?= <a@b>",
            "=?big5?b?Y?= <a@b>",
            "a@b (=?big5?q?a?=)",
            "<a@b",
            ".a@b",
            "a.@b",
        ),
    ),
    "uri": (
        "https://a.example/b?c#d",
        "/a/b",
        "a",
        "http://[::1]:80/",
        "http://a:b@c/",
        "mailto:a@b",
        "http://a b/",
        "%zz",
        "*",
    ),
    "hostname": ("a", "a.b", "a-b.example", "-a", "a-", "a" * 64, "ä.example", "a_b", "1.2.3.4"),
    "ipv4": ("1.2.3.4", "01.2.3.4", "1.2.3", "::1.2.3.4", "1.2.3.256"),
    "ipv6": ("::1", "fe80::1%eth0", "::1.2.3.4", "1::2::3", "1:2:3:4:5:6:7:8"),
    "cidr": ("1.2.3.0/24", "::/0", "1.2.3.4/33", "01.2.3.4/8", "::/129", "1.2.3.4"),
    "mac": ("aa:bb:cc:dd:ee:ff", "aa-bb-cc-dd-ee-ff", "aabb.ccdd.eeff", "aabbccddeeff", "aa:bb"),
    "date": ("2024-02-29", "2023-02-29", "2024-1-1", "2024-12-31"),
    "date-time": (
        "2024-01-02T03:04:05Z",
        "2024-01-02t03:04:05.5+01:00",
        "2024-01-02 03:04:05Z",
        "2024-01-02T24:00:00Z",
    ),
    "duration": ("1h2m", "22 ns", "3 Weeks", "-1.5s", "", "5", "1µs"),
    "byte": ("YQ==", "YWI=", "YWJj", "Y", "YQ", "Y Q=="),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "x"),
    "k8s-short-name": ("a", "a-b", "A", "a.b", "a" * 64),
    "k8s-long-name": ("a.b", "a..b", "a" * 254),
}
ODD = tuple("<>()[]@:;,.\\\"' \t=?%/-+_aZ0é\u00e9\u3000\n")


def variants(seeds: tuple[str, ...], count: int) -> list[str]:
    """The texts, and each with a few characters put in, taken out or repeated."""
    chance = random.Random(SEED)
    found = [*seeds, ""]
    while len(found) < count:
        text = chance.choice(seeds)
        for _ in range(chance.randint(1, 3)):
            at = chance.randint(0, len(text))
            text = (
                text[:at]
                + chance.choice((chance.choice(ODD), "", text[at : at + 2]))
                + text[at + chance.randint(0, 1) :]
            )
        found.append(text)
    return found


@pytest.mark.parametrize("name", SEEDS)
def test_equal(upstream: Upstream, name: str) -> None:
    texts = variants(SEEDS[name], 1_500)
    made = crd("thing", obj(texts=array({**TEXT, "format": name})))
    stored = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"texts": texts}}
    question = {
        "op": "writes",
        "yaml": json.dumps(made),
        "crd": made["metadata"]["name"],
        "version": "v1",
        "kubernetes": "1.36",
        "rewritten": [{"stored": stored, "writes": [{"endpoint": "create", "touched": []}]}],
    }
    (answer,) = upstream.ask([question])
    refused = {refusal["path"] for refusal in answer["objects"][0]["refused"][0]}
    different = [
        text for index, text in enumerate(texts) if matches_format(name, text) is (f"spec.texts[{index}]" in refused)
    ]
    assert different == []
    assert 0 < len(refused & {f"spec.texts[{index}]" for index in range(len(texts))}) < len(texts)
