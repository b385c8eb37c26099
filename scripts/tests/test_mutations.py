"""The changes that mutation runs make, and that a test which notices one kills it."""

import pytest

import mutate_tools
import mutations


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("x = a + b", ["a - b"]),
        ("x = a < b", ["a <= b"]),
        ("x = a and not b", ["a or not b", "b"]),
        ("LEVEL = 0.05", ["0.1"]),
        ("x = min(a)", ["max"]),
        ("def f(x: int = 1) -> int:\n    '''1'''\n    return x", ["return None", "2"]),
        ("x = [a for a in b if a]", ["for a in b"]),
        ("def f():\n    return None", []),
        ("x = f'{y:5}'", []),
    ],
)
def test_one_thing_is_changed_at_a_time(text, changed):
    found = list(mutations.of(text))
    assert sorted(change.after for change, _ in found) == sorted(changed)
    for change, tree in found:
        compile(tree, "mutant", "exec")
        assert change.before != change.after


def test_every_module_that_computes_figures_has_its_tests():
    for module in mutate_tools.TESTS:
        assert any(mutations.of(mutate_tools._source(module).read_text()))
        for name in mutate_tools.files_of(module):
            assert mutate_tools.Path(name).is_file()
