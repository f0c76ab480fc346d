"""Decodes with the model of a platform."""

from .decoders_managed import Android, Dart, DartWeb
from .decoders_native import Darwin, Linux, Windows
from .model import NO_MESSAGE

MODELS = {m.profile: m for m in (Dart, DartWeb, Android, Darwin, Windows, Linux)}


def decode(profile, codec, data, extensions=None):
    model = MODELS[profile]
    if data is None:
        if codec == "call":
            raise model.null_call
        return NO_MESSAGE
    return getattr(model(data, extensions), codec)()
