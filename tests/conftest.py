"""How thoroughly properties are tested: as usual, or while working (`make test-quick`) on a few examples each."""

from hypothesis import settings

settings.register_profile("quick", max_examples=10)
