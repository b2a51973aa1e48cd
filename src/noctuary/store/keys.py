"""The key of a message: one 63-bit number that says where it stands, who speaks and how long it is.

    session number (31 bits) | place in the session (24) | voice (3) | length class (5)

Ranking reads tens of thousands of keys from the full-text index and must know these four things of each; with
them in the key it needs no second look-up, so the cost of a search does not grow with the store.  Keys of one
session are in the order of the conversation, and later sessions have higher keys.
"""

from bisect import bisect

from noctuary.records import Hidden, Kind, Message, Role

LENGTH_BITS = 5
VOICE_BITS = 3
PLACE_BITS = 24
PLACE_SHIFT = LENGTH_BITS + VOICE_BITS
SESSION_SHIFT = PLACE_SHIFT + PLACE_BITS
MOST_MESSAGES = (1 << PLACE_BITS) - 1

# Voices, in the order of how much they weigh; see recall/ranking.py for the weights.
USER, ASSISTANT, THINKING, SUMMARY, CALL, OUTPUT, INJECTED, TITLE = range(8)

_BY_KIND = {
    Kind.THINKING: THINKING,
    Kind.SUMMARY: SUMMARY,
    Kind.TOOL_CALL: CALL,
    Kind.TOOL_RESULT: OUTPUT,
}
_BY_PROGRAMS, _TEXT, _USER = Hidden.INJECTED, Kind.TEXT, Role.USER
_BY_ROLE = {Role.USER: USER, Role.ASSISTANT: ASSISTANT, Role.TOOL: OUTPUT, Role.SYSTEM: INJECTED}
VOICES_OF_ROLE = {
    Role.USER: (USER,),
    Role.ASSISTANT: (ASSISTANT, THINKING, CALL),
    Role.TOOL: (OUTPUT,),
    Role.SYSTEM: (SUMMARY, INJECTED),
}


def voice_of(message: Message) -> int:
    """Who is heard in the message."""
    if message.hidden is _BY_PROGRAMS:
        return INJECTED
    if message.kind is _TEXT:  # most are, and an enum takes its time to be looked up
        return USER if message.role is _USER else _BY_ROLE[message.role]
    return _BY_KIND[message.kind]


def length_class(characters: int) -> int:
    """Lengths in steps of the square root of two, from 1 to 46,000 characters and more."""
    return bisect(_STEPS, characters)


_STEPS = tuple(2 ** ((step - 0.5) / 2) for step in range(1, 32))  # from where on the next class is nearer
LENGTHS = tuple(2 ** (step / 2) for step in range(32))  # what a length class stands for, in characters


def pack(session_no: int, place: int, voice: int = 0, length: int = 0) -> int:
    """The key of a message, or with voice and length left out the lowest key of its place."""
    return session_no << SESSION_SHIFT | place << PLACE_SHIFT | voice << LENGTH_BITS | length


def key_at(session_no: int, place: int, message: Message) -> int:
    """The key under which the message is stored and indexed at this place."""
    low = voice_of(message) << LENGTH_BITS | bisect(_STEPS, len(message.content))
    return session_no << SESSION_SHIFT | place << PLACE_SHIFT | low


def key_of(session_no: int, message: Message) -> int:
    """The key of a message that has its place."""
    return key_at(session_no, message.id, message)


def place_of(key: int) -> int:
    """The message's public id: its place in the session, from 1; 0 stands for the session's title."""
    return key >> PLACE_SHIFT & MOST_MESSAGES


def session_of(key: int) -> int:
    """The number of the session the message belongs to."""
    return key >> SESSION_SHIFT


def voice_in(key: int) -> int:
    """Who is heard in the message."""
    return key >> LENGTH_BITS & 7
