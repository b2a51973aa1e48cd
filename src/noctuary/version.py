"""The one place that knows which version this is; imports nothing, so that it costs nothing."""

VERSION = "0.1.0"
