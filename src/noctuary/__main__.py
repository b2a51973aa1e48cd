"""The command `noctuary`, also as `python -m noctuary`."""

import gc

gc.set_threshold(50_000)  # before anything is loaded: that makes fewer objects than this, and no cycles among them

from noctuary.doors.cli import main as command  # noqa: E402 (the line above has to come first)


def main() -> None:
    """Run the command that the arguments name."""
    command(prog_name="noctuary")


if __name__ == "__main__":
    main()
