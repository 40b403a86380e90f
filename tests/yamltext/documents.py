"""Random CRD-like YAML in every style that people and generators write, and some that nobody should."""

from __future__ import annotations

import random

PATH = ("openAPIV3Schema", "properties", "spec")

_KEYS = ["a", "b", "c", "type", "description", "properties", "spec", "status", "x-y", "$ref", "a.b/c", "é", "_1"]
_ODD_KEYS = [
    '"a"',
    "'a'",
    '"a b"',
    "'it''s'",
    '"\\x61"',
    "y",
    "on",
    "true",
    "1",
    '"1"',
    "1.5",
    "0x1",
    "null",
    '""',
    "''",
    "a b",
    "日本",
    "?a",
    "-a",
    "a#b",
    ".a",
    '"a:"',
    "<<x",
    "a:b",
]
_WORDS = [
    "foo",
    "bar",
    "it's",
    'say "x"',
    "a:",
    "#no",
    "x#y",
    "key:val",
    "x",
    "{}",
    "[x]",
    "é",
    "|",
    "---",
    "...x",
    "\\",
    "null",
    "1",
]
_PLAIN = [
    "foo",
    "1",
    "true",
    "y",
    "~",
    "null",
    "1.5",
    "0x1f",
    "1:30",
    "2001-01-01",
    "=",
    "<<",
    "-x",
    "?x",
    ":x",
    "a#b",
    "a b",
    "it's",
    'x"y',
    "é",
    "x:y",
    "{}",
    "[]",
    ".5",
    "+1",
]
_FLOW = [
    "{}",
    "[]",
    "{a: 1}",
    "[1, 2]",
    "[{a: 1}, [b]]",
    "{ }",
    "[]  # c",
    "{a: {b: [c]}}",
    '{"a":1}',
    "[a,\n{pad}  b]",
    "{a: 1,\n{pad} b: 2}",
]
_QUOTED = [
    '"x"',
    "'x'",
    '""',
    "''",
    "'it''s'",
    '"a\\"b"',
    '"#"',
    "'# x'",
    '"x"  # c',
    "'x'   ",
    '"a: b"',
    "'''x'''",
    '"\\\\"',
    '"x" ',
    "'\"'",
    '"\'"',
]
_INSERTS = [*"\"'{}[]:#|>-?&*!%@`\n\t \r\\,", "\0", "\x85", "{{ x }}"]
_TAILS = ["", "", "", "", " ", "  # comment", " #", "   "]


class Writer:
    """Writes one document; the same seed writes the same text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.oddness = self.random.choice([0.0, 0.0, 0.02, 0.05, 0.2])
        self.lines: list[str] = []

    def odd(self) -> bool:
        return self.random.random() < self.oddness

    def noise(self, indent: int) -> None:
        """Lines that mean nothing, now and then."""
        if self.random.random() < 0.08:
            column = self.random.choice([0, indent, indent, indent + 3, max(0, indent - 1)])
            self.lines.append(self.random.choice(["", " " * column, " " * column + "# note: a", " " * column + "#"]))

    def key(self, used: set[str]) -> str:
        key = self.random.choice(_ODD_KEYS if self.odd() else _KEYS)
        if key in used and self.random.random() < 0.998 - self.oddness / 10:
            key = f"k{len(used)}"
        used.add(key)
        return key

    def mapping(self, indent: int, depth: int, first: str = "") -> None:
        """A block mapping; ``first`` stands before its first key (dashes)."""
        used: set[str] = set()
        for number in range(self.random.randint(1, 4)):
            if number or not first:
                self.noise(indent)
            prefix = first if first and not number else " " * indent
            if self.odd() and self.odd():
                self.lines.append(f"{prefix}? {self.key(used)}")
                prefix = " " * indent
                self.value(prefix + ":", indent, depth)
            else:
                self.value(prefix + self.key(used) + (" " if self.odd() else "") + ":", indent, depth)

    def sequence(self, indent: int, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.noise(indent)
            gap = self.random.choice([1, 1, 1, 3]) if self.odd() else 1
            dash = " " * indent + "-"
            choice = self.random.random()
            if depth > 0 and choice < 0.5:
                self.mapping(indent + 1 + gap, depth - 1, dash + " " * gap)
            elif depth > 0 and choice < 0.55:
                self.lines.append(dash)
                self.noise(indent)
                self.mapping(indent + 2, depth - 1)
            elif depth > 0 and choice < 0.55 + self.oddness:
                self.lines.append(dash + " - " + self.random.choice(_PLAIN[:6]))
                self.lines.append(" " * (indent + 2) + "- " + self.random.choice(["b", "a: 1", "'x'"]))
                self.lines += [" " * (indent + 4) + "a: 1"] if self.lines[-1].endswith("a: 1") and self.odd() else []
            else:
                self.scalar(dash, indent)

    def value(self, head: str, indent: int, depth: int) -> None:
        choice = self.random.random()
        tail = self.random.choice(_TAILS)
        anchor = self.random.choice([" &x", " !!map", " &y"]) if self.odd() and self.odd() else ""
        if depth > 0 and choice < 0.45:
            self.lines.append(head + anchor + tail)
            self.noise(indent)
            self.mapping(indent + self.random.choice([2, 2, 2, 1, 4]), depth - 1)
        elif depth > 0 and choice < 0.6:
            self.lines.append(head + (anchor if anchor != " !!map" else "") + tail)
            self.sequence(indent + self.random.choice([0, 0, 2, 1]), depth - 1)
        elif choice < 0.6 + self.oddness:
            flow = (
                "{a: 1, a: 2}"
                if self.odd() and self.odd()
                else self.random.choice(_FLOW).replace("{pad}", " " * indent)
            )
            self.lines += (head + " " + flow).split("\n")
        elif choice > 1 - self.oddness / 3:
            self.lines.append(head + self.random.choice([" *x", " *y", "\t1", " \tx", "  !!str 1", " &x z"]))
        else:
            self.scalar(head, indent)

    def words(self) -> str:
        return " ".join(self.random.choice(_WORDS) for _ in range(self.random.randint(1, 4)))

    def scalar(self, head: str, owner: int) -> None:
        """A scalar behind ``head``; its further lines are indented by more than ``owner``."""
        kind = self.random.choice(["plain", "plain", "quoted", "none", "block", "long plain", "long quoted"])
        pad = " " * (owner + self.random.choice([1, 2, 2, 4]))
        if kind == "plain":
            self.lines.append(
                head + self.random.choice([" ", " ", "  "]) + self.random.choice(_PLAIN) + self.random.choice(_TAILS)
            )
        elif kind == "quoted":
            self.lines.append(head + " " + self.random.choice(_QUOTED))
        elif kind == "none":
            self.lines.append(head + self.random.choice(_TAILS))
        elif kind == "block":
            self.block_scalar(head, pad, owner)
        elif kind == "long plain":
            self.lines.append(f"{head} text {self.random.choice(['is', 'here', 'x'])}")
            for _ in range(self.random.randint(1, 3)):
                self.lines.append(
                    self.random.choice([pad, pad, pad + "  "])
                    + self.random.choice(["b c", "'x", '"y', "d:e", "- f", "? g", "h", "{i"])
                )
                self.lines += [""] if self.random.random() < 0.1 else []
        else:
            self.quoted_lines(head, pad)

    def block_scalar(self, head: str, pad: str, owner: int) -> None:
        header = self.random.choice(["|", ">", "|-", ">-", "|+", ">+"])
        if self.odd():
            header += str(len(pad) - max(owner, 0))
        self.lines.append(head + " " + header + self.random.choice(["", "", "  # c", " "]))
        for number in range(self.random.randint(0, 4)):
            if number and self.random.random() < 0.2:
                self.lines.append("")
                continue
            # The first line says how far the scalar is indented.
            more = self.random.choice(["", "", "  "]) if number else ""
            texts = [self.words(), "spec:", "a: 1", "- a: 1", '"', "'", "# x"]
            self.lines.append(pad + more + self.random.choice(texts))
        self.lines += [self.random.choice(["", pad, pad + "   "])] if self.odd() else []

    def quoted_lines(self, head: str, pad: str) -> None:
        quote = self.random.choice("\"'")
        escaped_quote = "''" if quote == "'" else '\\"'
        self.lines.append(f"{head} {quote}{self.random.choice(['text', '', 'a: b', '# x', escaped_quote])}")
        for _ in range(self.random.randint(1, 3)):
            inner = pad if not self.odd() else self.random.choice(["", " ", pad + "  "])
            self.lines.append(
                inner
                + self.random.choice(
                    ["spec:", "a: 1", "# x", "- b", "x \\" if quote == '"' else "it''s", "x", "a: |", "   "]
                )
            )
        self.lines.append(
            pad + self.random.choice(["end", "", "a: 1"]) + quote + self.random.choice(["", "", "  # c", " "])
        )

    def document(self) -> None:
        """A CRD in which the path leads to something, mostly."""
        self.noise(0)
        self.lines += ["kind: CustomResourceDefinition", "spec:"]
        step = self.random.choice([0, 2])
        self.lines.append("  versions:")
        for _ in range(self.random.randint(1, 3)):
            indent = 2 + step
            self.lines += [" " * indent + "- name: v1", " " * indent + "  schema:"]
            indent += 4
            self.lines.append(" " * indent + "openAPIV3Schema:" + self.random.choice(_TAILS[:5]))
            indent += self.random.choice([2, 2, 4])
            self.siblings(indent)
            self.noise(indent)
            self.lines.append(" " * indent + "properties:" + self.random.choice(_TAILS[:5]))
            indent += 2
            self.siblings(indent)
            self.lines.append(
                " " * indent
                + "spec:"
                + self.random.choice(_TAILS[:5])
                + ("" if not self.odd() else self.random.choice([" x", " &x", " {}", " |"]))
            )
            self.noise(indent)
            choice = self.random.random()
            if choice < 0.9:
                self.mapping(indent + self.random.choice([2, 2, 1, 4]), 4)
            elif choice < 0.95:
                self.sequence(indent + self.random.choice([0, 2]), 3)
            self.siblings(indent)
            self.lines.append(" " * indent + "status: {}")

    def siblings(self, indent: int) -> None:
        if self.random.random() < 0.6:
            self.value(" " * indent + f"s{len(self.lines)}:", indent, 1)

    def text(self) -> str:
        for number in range(self.random.choice([1, 1, 1, 2])):
            if number or self.random.random() < 0.3:
                self.lines.append(self.random.choice(["---", "--- # c", "...\n---" if number else "---", "---"]))
            self.document()
        text = ("\r\n" if self.random.random() < 0.1 else "\n").join(self.lines)
        if self.odd() and self.odd():
            text = text.replace("foo", self.random.choice(["\x85", "a\u2028b", "x\ry"]), 1)
        return text + self.random.choice(["\n", "\n", "", "\n\n", "\n# end\n"])


def document(seed: int) -> str:
    return Writer(seed).text()


def mutated(text: str, seed: int) -> str:
    """The text with some lines or characters deleted, repeated, swapped or replaced."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        lines = text.splitlines(keepends=True) or [""]
        first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(7)
        if kind == 0:
            del lines[first]
        elif kind == 1:
            lines.insert(second, lines[first])
        elif kind == 2:
            lines[first], lines[second] = lines[second], lines[first]
        elif kind == 3:
            lines[first] = chance.choice([" ", "  ", "- ", "\t", "# "]) + lines[first]
        elif kind == 4:
            lines[first] = lines[first][1:]
        elif kind == 5:
            lines = [text[:at] + text[at + chance.randint(1, 3) :]]
        else:
            lines = [text[:at] + chance.choice(_INSERTS) + text[at:]]
        text = "".join(lines)
    return text
