"""The folder that an address means, as editors write them down."""

from urllib.parse import unquote, urlsplit

_HERE = ("file", "vscode-remote", "vscode-local")  # of a remote machine the path is the one over there


def path_in(uri: str) -> str | None:
    """The path in an address; None if it names no file.

    `file:///home/ana/my%20shop`, `file:///c%3A/shop` and `vscode-remote://ssh-remote%2Bhost/home/ana` have one.
    """
    try:
        address = urlsplit(uri)
    except ValueError:
        return None
    if address.scheme not in _HERE or not address.path:
        return None
    path = unquote(address.path)
    is_drive = path[2:3] == ":" and path[1:2].isalpha()
    return path[1:] if is_drive else path
