"""Pages of searching; a skeleton."""

from fastapi import FastAPI

from noctuary.doors.web.frame import Frame


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server answer with them."""
