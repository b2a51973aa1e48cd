"""`python -m noctuary` is `noctuary`."""

from noctuary.doors.cli import main

if __name__ == "__main__":
    main(prog_name="noctuary")
