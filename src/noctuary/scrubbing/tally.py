"""What was found where: kinds and numbers, never a secret itself."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from noctuary.redact import findings


@dataclass(slots=True)
class Tally:
    """How many secrets of which kind were found in which place, and what there is to say."""

    found: dict[str, Counter[str]] = field(default_factory=dict)  # kinds, by place
    warnings: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)  # files that have some and stay as they are, for they are needed so

    def count(self, place: str, text: str) -> bool:
        """Count the secrets of a text; whether there are any."""
        kinds = Counter(finding.kind for finding in findings(text))
        if kinds:
            self.found.setdefault(place, Counter()).update(kinds)
        return bool(kinds)

    def count_all(self, place: str, texts: Iterable[str | None]) -> bool:
        """The same of several texts."""
        return sum(self.count(place, text) for text in texts if text) > 0

    def count_changed(self, place: str, *texts: str) -> None:
        """The same of texts in which there are some: in one as it stands, or in a part of it alone."""
        parts = [part for text in texts for end in '\n"' for part in text.split(end)]
        if not self.count_all(place, texts) and not self.count_all(place, parts):
            self.found.setdefault(place, Counter()).update(["secret"])  # written in a way that only JSON reads

    def add(self, other: "Tally", place: str) -> None:
        """Take over what was found in another memory, under the name of that."""
        for kinds in other.found.values():
            self.found.setdefault(place, Counter()).update(kinds)
        self.warnings += other.warnings

    @property
    def total(self) -> int:
        """How many secrets were found."""
        return sum(kinds.total() for kinds in self.found.values())

    def by_kind(self) -> Mapping[str, int]:
        """How many of each kind, most first."""
        return dict(sum(self.found.values(), Counter[str]()).most_common())
