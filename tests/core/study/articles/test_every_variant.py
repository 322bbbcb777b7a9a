"""What holds of every version of the articles kept beside ours: where it is wrong, where it is right, and why."""

from __future__ import annotations

import pytest

from core.study.articles import ARTICLE_VARIANTS, MOTION_VARIANTS, ArticleVariant, Comparison
from core.study.articles.plane import PLANAR_VARIANTS

VARIANTS = (*ARTICLE_VARIANTS, *MOTION_VARIANTS, *PLANAR_VARIANTS)

by_id = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)


@by_id
def test_it_is_wrong_where_it_says(variant: ArticleVariant | ArticleVariant) -> None:
    assert variant.breaks
    for scene in variant.breaks:
        found = variant.compare(scene)
        assert found == Comparison(variant.article(scene), variant.right(scene), variant.why)
        assert not found.agree, (found, scene.name)
        assert type(found.article) is type(found.right)
        assert scene.name


@by_id
def test_it_is_right_on_easy_scenes(variant: ArticleVariant | ArticleVariant) -> None:
    assert variant.agrees
    for scene in variant.agrees:
        found = variant.compare(scene)
        assert found.agree, (found, scene.name)


@by_id
def test_it_says_why_in_one_sentence(variant: ArticleVariant | ArticleVariant) -> None:
    assert variant.why.endswith(".")
    assert variant.why.count(". ") == 0
    assert variant.id.startswith(variant.system + "-")
    assert variant.article.__name__.startswith(variant.system.lower() + "_")


def test_no_two_have_one_name() -> None:
    assert len({variant.id for variant in VARIANTS}) == len(VARIANTS)
