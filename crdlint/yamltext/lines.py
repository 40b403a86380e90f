"""Where the lines of a text begin and end, found around an offset: the text is never scanned as a whole."""

from __future__ import annotations

from crdlint.yamltext.operations import Refused

_FOREIGN_BREAKS = frozenset("\r\x85\u2028\u2029")


class Lines:
    """The lines of a text. Offsets count characters; the end of a line is where its newline begins."""

    def __init__(self, text: str) -> None:
        self.text = text

    def start(self, offset: int) -> int:
        """Where the line around ``offset`` begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def end(self, offset: int) -> int:
        """Where the line around ``offset`` ends, before its newline."""
        end = self.text.find("\n", offset)
        if end < 0:
            return len(self.text)
        return end - 1 if end > 0 and self.text[end - 1] == "\r" else end

    def next(self, offset: int) -> int:
        """Where the line after that around ``offset`` begins; the end of the text if there is none."""
        return self.text.find("\n", offset) + 1 or len(self.text)

    def newline(self, offset: int) -> str:
        """The newline of the line around ``offset``, or of the line before where it has none."""
        end = self.text.find("\n", offset)
        if end < 0:
            end = self.text.rfind("\n")
        return "\r\n" if end > 0 and self.text[end - 1] == "\r" else "\n"

    def column(self, offset: int) -> int:
        """How many characters stand before ``offset`` on its line."""
        return offset - self.start(offset)

    def indent(self, offset: int) -> str:
        """The white space that the line around ``offset`` begins with."""
        start = self.start(offset)
        line = self.text[start : self.end(offset)]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def is_blank(self, start: int, end: int) -> bool:
        """Are there only spaces and tabs in a span?"""
        return not self.text[start:end].strip(" \t")

    def is_rest_blank(self, offset: int) -> bool:
        """Is there nothing but white space and a comment between ``offset`` and the end of its line?"""
        rest = self.text[offset : self.end(offset)].lstrip(" \t")
        return not rest or rest[0] == "#"

    def end_of_text_before(self, start: int) -> int:
        """The end of the last line before ``start`` that is not blank."""
        while start > 0:
            end = self.end(start - 1)
            start = self.start(end)
            if not self.is_blank(start, end):
                return end
        return 0

    def has_comment_line(self, start: int, end: int) -> bool:
        """Does a line of the span hold nothing but a comment?"""
        return any(line.lstrip(" \t").startswith("#") for line in self.text[start:end].split("\n"))

    def check(self, offset: int) -> None:
        """Refuse a line with breaks that only YAML 1.1 knows: columns and indentation would be guesses there."""
        line = self.text[self.start(offset) : self.end(offset)]
        if (not line.isascii() or "\r" in line) and not _FOREIGN_BREAKS.isdisjoint(line):
            raise Refused("there are line breaks here that are neither LF nor CRLF")
