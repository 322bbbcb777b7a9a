"""Places of a film's distance: the cheapest sequence, held against all sequences, and few changes in films."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from app.draw.placed import box_about, boxes_overlap, middle_of
from app.draw.theme import theme_named
from app.io.presets import load_preset
from app.render.film import IMPACT_SECONDS, FilmSize, Shots, of_motion
from app.render.kept_places import ALIKE, CHANGE, ON_BODIES, Surroundings, cheapest_sequence
from app.render.moving_labels import shown_labels
from app.render.still import SUPERSAMPLING
from app.state.export_options import ExportOptions
from app.state.view import Seen, View
from core.analysis.analysis import analyse

TIMES = 40


def price(prices: np.ndarray, places: tuple[int, ...]) -> float:
    changes = sum(one != other for one, other in pairwise(places))
    return float(prices[np.arange(len(places)), list(places)].sum()) + CHANGE * changes


@pytest.mark.parametrize("seed", range(8))
def test_the_sequence_is_the_cheapest_of_all(seed: int) -> None:
    prices = np.random.default_rng(seed).uniform(0.0, (0.5, 1.0, 2.0, 4.0)[seed % 4] * CHANGE, (6, 4))
    found = tuple(cheapest_sequence(prices).tolist())
    best = min(price(prices, places) for places in product(range(4), repeat=6))
    assert price(prices, found) == pytest.approx(best, abs=1e-9)


def test_a_place_costs_what_lies_under_it() -> None:
    start, end = np.array([[0.0, 50.0], [50.0, 0.0]]), np.array([[200.0, 50.0], [50.0, 200.0]])
    taken = np.array([[150.0, 150.0, 160.0, 160.0]])
    around = Surroundings(np.array((200.0, 200.0)), start, end, np.array((1.0, 2.0)), taken)
    boxes = np.array(
        [(100, 40, 140, 60), (40, 100, 60, 110), (100, 100, 140, 110), (145, 150, 185, 165), (170, 90, 210, 99)]
    ).astype(float)
    along, across, free, on_a_mark, outside = around.prices(boxes, np.zeros((0, 4)))
    assert (along, across, free) == pytest.approx((1.0, 1.0, 0.0))
    assert min(on_a_mark, outside) > CHANGE * 10


def test_a_place_on_bodies_costs_their_share() -> None:
    none = np.zeros((0, 2))
    # A body from x = 100 to 150, above y = 50.
    left, right = (np.array([[x, 0.0], [x, 50.0]]) for x in (100.0, 150.0))
    around = Surroundings(np.array((200.0, 200.0)), none, none, np.zeros(0), np.zeros((0, 4)), ((left, right),))
    boxes = np.array([(110, 10, 140, 20), (80, 10, 120, 20), (80, 45, 120, 55), (10, 10, 50, 20), (110, 60, 140, 70)])
    found = around.prices(boxes.astype(float), np.zeros((0, 4))) / ON_BODIES
    assert found == pytest.approx((1.0, 0.5, 0.3, 0.0, 0.0))


@pytest.mark.parametrize("name", ["tunnelling", "flat-tunnelling", "sphere-past-a-box"])
def test_the_distance_of_a_motion_changes_its_place_a_few_times_alone(name: str) -> None:
    loaded = load_preset(name)
    seen = Seen(loaded.scene, analyse(loaded.scene), loaded.view or View(), theme_named("light"))
    source = of_motion(seen, TIMES, 25.0)
    shots, ways = Shots(source, FilmSize.of(ExportOptions(purpose="film").suited(".gif"))), []
    for number, (plan, seconds) in enumerate(zip(shots.plans(), source.seconds, strict=True)):
        plan.lay_out(SUPERSAMPLING)
        if seconds == IMPACT_SECONDS and number < TIMES - 1:
            # There the film stands, without a distance.
            ways.append((np.nan, np.nan))
            continue
        (shown,) = [
            each
            for each in shown_labels(shots.laid[0].viewport, shots.laid[0].placed)
            if shots.laid[0].viewport.draw.labels[each.label.number].kind == "distance"
        ]
        others = [label for label in shots.laid[0].placed.labels if label.number != shown.label.number]
        box = box_about(middle_of(shown.label), shown.label)[None]
        assert not boxes_overlap(box, np.array([box_about(middle_of(each), each) for each in others])[:, None])
        across, down = middle_of(shown.label) - shown.anchor
        # The words grow and shrink: the middle goes with them, the side towards the anchor does not.
        lean = np.clip(2.0 * across / shown.label.width, -1.0, 1.0)
        ways.append((across - 0.5 * lean * shown.label.width, down))
    changes = np.abs(np.diff(ways, axis=0)).max(axis=1)
    still = changes[np.isfinite(changes)] < ALIKE * SUPERSAMPLING * shots.look.scale
    # Picture by picture it is 0.74 to 0.80 in these films.
    assert still.mean() > 0.9
