"""What is made when it is first asked for."""

from threading import Event, Thread

from noctuary.lazily import Once


class Kept:
    """An object with a property that takes as long as somebody lets it."""

    def __init__(self, wait_for: Event, tell: Event) -> None:
        self.wait_for, self.tell, self.times = wait_for, tell, 0

    @Once
    def thing(self) -> bool:
        """Whether what was waited for came."""
        self.times += 1
        self.tell.set()
        return self.wait_for.wait(30)


def test_made_once() -> None:
    """What was made is kept with its object."""
    told = Event()
    told.set()
    kept = Kept(told, told)

    assert (kept.thing, kept.thing, kept.times) == (True, True, 1)
    assert Kept.thing.__doc__ == "Whether what was waited for came."


def test_one_object_keeps_no_other_waiting() -> None:
    """While it is made for one object it can be made for another, on which the first may depend."""
    first_began, second_began = Event(), Event()
    first, second = Kept(second_began, first_began), Kept(first_began, second_began)
    thread = Thread(target=lambda: first.thing)
    thread.start()
    assert first_began.wait(30)

    assert second.thing
    thread.join()
    assert first.thing
