"""The record of the controllers that most other controllers need."""

from __future__ import annotations

from msgspec import Struct

from ..state.work import Work
from .autosaves import Autosaves
from .background import AnswerCache
from .contact_meter import ContactMeter
from .engines import Engines
from .notices import Notices
from .playback import MotionControl, Steps
from .preferences import Preferences
from .quiz import Quiz


class Services(Struct, frozen=True, eq=False):
    """The work, its notices and autosaves, and the controllers with the answers about the pair."""

    work: Work
    notices: Notices
    autosaves: Autosaves
    preferences: Preferences
    answers: AnswerCache
    motion: MotionControl
    steps: Steps
    quiz: Quiz
    meter: ContactMeter
    engines: Engines
