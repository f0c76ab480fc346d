"""A client for PWBridge that needs nothing but Python 3.9."""

from .client import (
    BridgeError, Call, Client, Dropped, FrameErrorReply, MissingPluginException, connect, spawn,
)
from .codec import BigInteger, CodecError, Int64, Pairs, PlatformException
from .frames import Frame, FrameError

__all__ = [
    "BigInteger", "BridgeError", "Call", "Client", "CodecError", "Dropped", "Frame", "FrameError",
    "FrameErrorReply", "Int64", "MissingPluginException", "Pairs", "PlatformException", "connect",
    "spawn",
]
