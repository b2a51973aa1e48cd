"""Dreaming: what sessions said and nobody wrote down is found, compared with all that is known, and kept."""
