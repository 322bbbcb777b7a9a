"""Carries requests out: each goes to the controller whose part it is."""

from __future__ import annotations

from msgspec.structs import replace

from ..probes import Aim
from ..state import requests
from .table import Program


def carry_out(app: Program, request: requests.Request) -> None:
    """The only way in for panels, tools and dialogs."""
    match request:
        case requests.Edit(scene, label, told):
            app.edits.edit(scene, label, told)
        case requests.Preview(scene):
            app.work.document = app.work.document.previewed(scene)
        case requests.Look(view):
            app.cameras.look(view)
        case requests.Invoke(name):
            app.invoke(name)
        case requests.Open(path):
            app.files.open(path)
        case requests.Load(scene, view, _):
            app.files.load(scene, view)
        case requests.Save(path):
            app.files.save_to(path)
        case requests.Configure(settings):
            app.preferences.configure(settings)
        case requests.Copy(text, what):
            app.window.copy(text)
            app.notices.notify(f"Copied {what}")
        case requests.Notify(message, error):
            app.notices.notify(message, error=error)
        case requests.Dismiss(number):
            app.notices.dismiss(number)
        case requests.Answer(choice):
            app.questions.answer(choice)
        case requests.Point(subject):
            app.cameras.point_at(subject)
        case requests.Select(body):
            app.work.selection = body
        case requests.Step(index):
            app.files.step_to(index)
        case requests.Play(playback):
            app.steps.play(playback)
        case requests.Tune(knobs):
            app.work.knobs = knobs
        case requests.Guess(subject):
            app.quiz.guess(subject)
        case requests.Screenshot():
            app.pictures.take(request)
        case requests.CancelPicture():
            app.pictures.cancel()


def escape(app: Program) -> bool:
    """Ends, closes or undoes the topmost thing; never leaves the program. False when there was nothing."""
    work = app.work
    if app.pictures.share is not None:
        app.pictures.cancel()
        return True
    if app.dialogs.close_one() or app.notices.dismiss_error() or app.quiz.stop():
        return True
    if isinstance(work.view.probe, Aim):
        work.view = replace(work.view, probe=None)
    elif work.view.pin is not None:
        work.view = replace(work.view, pin=None)
    elif work.selection is not None:
        work.selection = None
    elif work.playback.open:
        app.steps.toggle_timeline()
    elif work.view.probe is not None:
        work.view = replace(work.view, probe=None)
    else:
        return False
    return True
