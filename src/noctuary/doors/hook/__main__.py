"""Run as `python -I -S <this file> [--home FOLDER] [--owner NAME] [--agent NAME]`, which loads next to nothing."""

import sys

if __name__ == "__main__":
    try:
        sys.path.append(__file__.replace("\\", "/").rpartition("/noctuary/doors/hook/")[0])
        from noctuary.doors.hook.running import main

        main(sys.argv[1:])
    except BaseException:  # noqa: BLE001, S110 (whatever is wrong with us, the agent's user is at work)
        pass
    sys.exit(0)
