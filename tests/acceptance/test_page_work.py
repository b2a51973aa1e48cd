"""The work in a browser: the board, a node, and a graph that can be moved."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from noctuary.app import Memory
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.acceptance.browser import PHONE, Site, opened, picture, served
from tests.acceptance.page_looks import STYLES, looked_at
from tests.acceptance.shop_with_a_past import HOSTILE, Past

Served = tuple[Site, Past]
# Two fingers on the canvas, which move apart.
PINCH = """(canvas) => {
  const box = canvas.getBoundingClientRect();
  const touch = (kind, id, x, y) => canvas.dispatchEvent(new PointerEvent(kind, {
    bubbles: true, pointerId: id, pointerType: "touch", clientX: box.left + x, clientY: box.top + y }));
  touch("pointerdown", 1, 100, 100); touch("pointerdown", 2, 140, 140);
  touch("pointermove", 1, 60, 60); touch("pointermove", 2, 200, 200);
  touch("pointerup", 1, 60, 60); touch("pointerup", 2, 200, 200);
}"""

# Texts that stand beside the shape of their node.
_TOO_WIDE = """() => [...document.querySelectorAll('.node')].flatMap((node) => {
  const room = node.querySelector('.shape').getBBox().width;
  const texts = [...node.querySelectorAll('text')];
  return texts.filter((text) => text.getBBox().width > room).map((text) => text.textContent);
})"""


def view(page: Page) -> list[float]:
    """What part of the graph is seen: left, top, width and height."""
    shown = page.locator(".canvas svg").get_attribute("viewBox") or ""
    return [float(number) for number in shown.split()]


@pytest.mark.parametrize("style", STYLES)
def test_everybody_can_use_the_pages_of_the_work(browser: Browser, seen_shop: Served, style: str) -> None:
    """Axe finds nothing serious, nothing is wider than the screen, and a picture of each is kept."""
    site, past = seen_shop
    pages = {
        "board": "/work",
        "board-goal": f"/work?goal={past.goal}",
        "column": "/work/column/done",
        "graph": f"/work/graph?goal={past.goal}",
        "graph-all": "/work/graph",
        "node": f"/work/{past.task}",
        "goal": f"/work/{past.goal}",
        "decision": f"/work/{past.decision}",
        "pack": f"/work/{past.task}/pack",
        "handoff": f"/work/{past.goal}/handoff",
    }

    assert looked_at(browser, site, pages, style) == []


def test_from_the_board_to_a_task_to_its_pack(browser: Browser, seen_shop: Served) -> None:
    """Choose a goal, open a task with the keyboard, read what an agent would be handed."""
    site, past = seen_shop
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at("/work"))
        expect(page.locator(".board")).to_contain_text(HOSTILE[:40])
        page.get_by_label("Goal").select_option(past.goal)
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".board")).not_to_contain_text(HOSTILE[:40])
        page.keyboard.press("j")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.get_by_role("link", name="Pack").click()

        expect(page.locator("h1")).to_have_text("Pack")
        expect(page.locator(".whole-text")).to_contain_text("Write the schema of the sessions")


def test_the_graph_is_zoomed_and_moved(browser: Browser, seen_shop: Served) -> None:
    """With the wheel, by dragging, with buttons, keys and two fingers; `Show all` shows all of it."""
    site, past = seen_shop
    with opened(browser, site) as seen:
        page = seen.page
        page.goto(site.at(f"/work/graph?goal={past.goal}"))
        canvas = page.locator(".canvas")
        canvas.scroll_into_view_if_needed()
        start = view(page)
        box = canvas.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 200, box["y"] + 150)
        page.mouse.wheel(0, -400)
        page.wait_for_function("w => document.querySelector('.canvas svg').viewBox.baseVal.width < w", arg=start[2])
        near = view(page)
        page.mouse.down()
        page.mouse.move(box["x"] + 80, box["y"] + 120, steps=4)
        page.mouse.up()
        dragged = view(page)
        assert dragged[0] > near[0]
        assert dragged[2] == near[2]

        page.get_by_role("button", name="Zoom out").click()
        assert view(page)[2] > dragged[2]
        canvas.focus()
        before = view(page)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("+")
        assert view(page)[0] > before[0]
        assert view(page)[2] < before[2]
        canvas.evaluate(PINCH)
        pinched = view(page)
        assert pinched[2] < before[2]
        page.get_by_role("button", name="Show all").click()
        left, top, width, height = view(page)
        for node in page.locator(".node").all():
            matrix = node.evaluate("node => [node.transform.baseVal[0].matrix.e, node.transform.baseVal[0].matrix.f]")
            assert left <= matrix[0] <= left + width
            assert top <= matrix[1] <= top + height


def test_a_node_is_opened_by_a_click_and_not_by_a_drag(browser: Browser, seen_shop: Served) -> None:
    """Whoever moves the graph by a node stays where they are; with Tab one comes to nodes, and sees them."""
    site, past = seen_shop
    with opened(browser, site, size=PHONE) as seen:
        page = seen.page
        place = site.at(f"/work/graph?goal={past.goal}")
        page.goto(place)
        goal = page.locator(".node.goal")
        goal.scroll_into_view_if_needed()
        box = goal.bounding_box()
        assert box is not None
        before = view(page)
        page.mouse.move(box["x"] + 30, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + 90, steps=5)
        page.mouse.up()
        assert page.url == place
        assert view(page)[0] < before[0]
        last = page.locator(".node").last
        last.focus()
        expect(last).to_be_in_viewport()
        moved = view(page)
        page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.wait_for_function("!document.querySelector('.canvas').matches('.moving')")
        assert [round(view(page)[place]) for place in (0, 2)] == [round(moved[place]) for place in (0, 2)]
        picture(page, "graph-moved-phone", is_whole=False)
        goal.focus()
        goal.click()

        expect(page).to_have_url(site.at(f"/work/{past.goal}"))


def test_without_script_the_graph_is_a_list_as_well(browser: Browser, seen_shop: Served) -> None:
    """The picture can be scrolled, and the list stands open with every node as a link."""
    site, past = seen_shop
    with opened(browser, site, is_scripted=False) as seen:
        seen.page.goto(site.at(f"/work/graph?goal={past.goal}"))
        picture(seen.page, "graph-without-script")

        assert seen.page.locator(".tree").is_visible()
        assert not seen.page.locator("[data-zoom]").is_visible()
        seen.page.locator(".tree").get_by_role("link", name="Drop the Redis container").click()
        expect(seen.page.locator("h1")).to_have_text("Drop the Redis container")


def test_a_graph_of_one_goal_takes_little_room(browser: Browser, tmp_path: Path) -> None:
    """A canvas is as high as its picture needs; what little there is, is in sight with its legend."""
    clock = FakeClock()
    with Memory.from_settings(Settings.load({}, home=tmp_path, owner="ana", user_home=tmp_path), clock) as memory:
        memory.work("shop").open_goal("No Redis in production")
    with served(tmp_path, clock) as site, opened(browser, site) as seen:
        seen.page.goto(site.at("/work/graph"))
        picture(seen.page, "graph-of-one", is_whole=False)

        expect(seen.page.locator(".node")).to_be_in_viewport(ratio=1)
        expect(seen.page.locator(".graph .legend")).to_be_in_viewport(ratio=1)
        assert seen.page.locator(".canvas").evaluate("canvas => canvas.clientHeight") < 400


def test_a_graph_of_many_goals_begins_where_there_is_something(browser: Browser, tmp_path: Path) -> None:
    """What is seen at first is part of the picture, with the highest goal; titles are in their shapes."""
    clock = FakeClock()
    with Memory.from_settings(Settings.load({}, home=tmp_path, owner="ana", user_home=tmp_path), clock) as memory:
        work = memory.work("shop")
        for number in range(4):
            goal = work.open_goal(f"WWW {number}: make the checkout of the shop robust against outages")
            for part in range(12):
                work.open_task(f"Measure part {part}: retries, <script>=time-outs</script> and a queue", parent=goal)
    with served(tmp_path, clock) as site, opened(browser, site, size=PHONE) as seen:
        seen.page.goto(site.at("/work/graph"))
        _, top, _, height = view(seen.page)
        whole = float(seen.page.locator(".canvas svg").get_attribute("height") or "0")

        assert 0 <= top <= whole - height
        assert top < whole / 4
        assert seen.page.evaluate(_TOO_WIDE) == []
