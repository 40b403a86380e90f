"""Is a string a mail address to Go? A port of ``ParseAddress`` of its package ``net/mail``, without its result."""

from __future__ import annotations

import base64
import binascii
import re

_WHITE = " \t"
_SPECIALS = frozenset('()<>[]:;@\\,"')
_CHARSETS = frozenset(("utf-8", "iso-8859-1", "us-ascii"))
_ENCODED = re.compile(r"=\?([^?]+)\?([bBqQ])\?([^?]*)\?=")
_QUOTED = re.compile(r'"((?:[^\x00-\x08\x0a-\x1f\x7f"\\]|\\[^\x00-\x08\x0a-\x1f\x7f])*)"')
_QUOTED_PRINTABLE = re.compile(r"([!-<>-~ \t\r\n]|=[0-9a-fA-F]{2})*")


class _Malformed(Exception):
    """No address begins here."""


def is_address(text: str) -> bool:
    """Does Go's ``mail.ParseAddress`` accept it?"""
    try:
        reader = _Reader(text)
        addresses = reader.address(may_be_group=True)
        reader.skip_comments()
    except _Malformed:
        return False
    return addresses == 1 and reader.is_at_end


class _Reader:
    """Reads on from ``at``; methods that find nothing they want raise `_Malformed`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def is_at_end(self) -> bool:
        return self.at >= len(self.text)

    def address(self, may_be_group: bool) -> int:
        """Read a mailbox, or a group; returns the number of addresses."""
        self.skip_space()
        before = self.at
        try:
            self.spec()
        except _Malformed:
            self.at = before
            return self.named_address(may_be_group)
        self.skip_space()
        if self.peek() == "(":
            for word in re.split(r"[ \t]+", self.comment()):
                _check_encoded(word)
        return 1

    def named_address(self, may_be_group: bool) -> int:
        if self.peek() != "<":
            self.phrase()
        self.skip_space()
        if may_be_group and self.take(":"):
            return self.group()
        self.expect("<")
        self.spec()
        self.expect(">")
        return 1

    def group(self) -> int:
        self.skip_space()
        if self.take(";"):
            self.skip_comments()
            return 0
        addresses = self.address(may_be_group=False)
        self.skip_comments()
        while not self.take(";"):
            self.expect(",")
            addresses += self.address(may_be_group=False)
            self.skip_comments()
        self.skip_comments()
        return addresses

    def spec(self) -> None:
        """``local@domain``."""
        self.skip_space()
        if self.peek() == '"':
            if not self.quoted():
                raise _Malformed
        else:
            self.atom()
        self.expect("@")
        self.skip_space()
        if self.take("["):
            self.address_literal()
        else:
            self.atom()

    def phrase(self) -> None:
        """The words before ``<`` or ``:``; at least one."""
        words = 0
        while True:
            if words:
                self.skip_comments()
            self.skip_space()
            if self.is_at_end and words == 0:
                return
            try:
                if self.peek() == '"':
                    self.quoted()
                else:
                    _check_encoded(self.atom(is_strict=False))
            except _Malformed:
                if words:
                    return
                raise
            words += 1

    def quoted(self) -> str:
        found = _QUOTED.match(self.text, self.at)
        if found is None:
            raise _Malformed
        self.at = found.end()
        return found[1]

    def atom(self, is_strict: bool = True) -> str:
        end = self.at
        while end < len(self.text) and self.text[end] not in _SPECIALS and _is_visible(self.text[end]):
            end += 1
        atom = self.text[self.at : end]
        self.at = end
        if not atom or (is_strict and (atom.startswith(".") or atom.endswith(".") or ".." in atom)):
            raise _Malformed
        return atom

    def address_literal(self) -> None:
        """The IP address between brackets."""
        end = self.text.find("]", self.at)
        if end < 0 or not _is_ip(self.text[self.at : end]):
            raise _Malformed
        self.at = end + 1

    def comment(self) -> str:
        """What stands in parentheses, which may hold others."""
        self.expect("(")
        depth, inner = 1, []
        while depth and not self.is_at_end:
            if self.peek() == "\\" and self.at + 1 < len(self.text):
                self.at += 1
            else:
                depth += {"(": 1, ")": -1}.get(self.peek(), 0)
            if depth:
                inner.append(self.peek())
            self.at += 1
        if depth:
            raise _Malformed
        return "".join(inner)

    def skip_comments(self) -> None:
        self.skip_space()
        while self.peek() == "(":
            self.comment()
            self.skip_space()

    def skip_space(self) -> None:
        while self.peek() and self.peek() in _WHITE:
            self.at += 1

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, character: str) -> bool:
        if self.peek() != character:
            return False
        self.at += 1
        return True

    def expect(self, character: str) -> None:
        if not self.take(character):
            raise _Malformed


def _is_visible(character: str) -> bool:
    return "!" <= character <= "~" or character >= "\x80"


def _is_ip(value: str) -> bool:
    import ipaddress

    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return False
    return getattr(address, "scope_id", None) is None


def _check_encoded(word: str) -> None:
    """An encoded word (RFC 2047) has to be in a character set that Go knows; what is none is taken as it stands."""
    found = _ENCODED.fullmatch(word)
    if found is not None and found[1].lower() not in _CHARSETS and _decodes(found[2].lower(), found[3]):
        raise _Malformed


def _decodes(encoding: str, text: str) -> bool:
    if encoding == "q":
        return _QUOTED_PRINTABLE.fullmatch(text) is not None
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
