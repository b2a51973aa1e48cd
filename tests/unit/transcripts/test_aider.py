"""What the chat history of Aider becomes, and where it is looked for."""

from pathlib import Path

from noctuary import Memory
from noctuary.records import Role
from noctuary.testing import messages
from noctuary.transcripts.aider import Aider
from noctuary.transcripts.items import Item, Place, Skipped
from noctuary.transcripts.repositories import AIDER as NAME

START = "\n# aider chat started at 2026-03-01 09:00:00\n\n> Aider v0.86.1  \n> Model: gpt-4o with diff edit format  \n"
# Counted by hand: five times somebody typed something, and two of these are commands.
FIVE_PROMPTS = (
    START
    + """
#### Add a switch for dark mode¶
#### ¶
#### 1. on the top right¶
#### > quoted by me¶
#### ```js¶
#### let dark = true¶
#### ```¶

I will.

#### What I change
```markdown
#### Dark mode¶

> Press the switch.¶

#### Light mode¶
```

> Tokens: 5.3k sent, 45 received.¶

#### /code make it green¶

#### make it green¶

Done.

> Tokens: 1k sent, 4 received.¶
> Applied edit to style.css¶

#### /commit¶
> Commit 1b2614a feat: make the switch green¶

#### nothing changed !¶

```css
.switch { color: green;

#### I am no prompt, for I end without two spaces

> Tokens: 1k sent, 9 received.¶

#### thanks¶
""".replace("¶", "  ")  # lines of people and of Aider end in two spaces
)


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_text(text, encoding="utf-8")
    return folder / NAME


def read(home: Path) -> list[Item]:
    return [item for source in Aider().find(home, {}) for item in Aider().read(source, Place())]


def prompts(home: Path) -> list[str]:
    return [message.content for message in messages(read(home)) if message.role is Role.USER]


def test_every_prompt_is_found(tmp_path: Path) -> None:
    """All that people typed is found, word for word and in order; headings and code of an answer are not."""
    write(tmp_path, FIVE_PROMPTS)

    assert prompts(tmp_path) == [
        "Add a switch for dark mode\n\n1. on the top right\n> quoted by me\n```js\nlet dark = true\n```",
        "/code make it green",
        "/commit",
        "nothing changed !",
        "thanks",
    ]


def test_why_an_edit_failed_is_not_the_models_word(tmp_path: Path) -> None:
    """Aider tells it in many lines, marks only the first and ends only the last; the answer goes on behind it."""
    told = """
#### Make it green¶

I will.

> The LLM did not conform to the edit format.¶
> https://aider.chat/docs/troubleshooting/edit-errors.html¶
> # 1 SEARCH/REPLACE block failed to match!

## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in style.css
<<<<<<< SEARCH
.switch { color: blue; }
=======
.switch { color: green; }
>>>>>>> REPLACE

Just reply with fixed versions of the block above that failed to match.¶
> Tokens: 1k sent, 9 received.¶

> a quotation of the model
goes on

#### thanks¶
""".replace("¶", "  ")
    write(tmp_path, START + told)

    found = [(message.role, message.content) for message in messages(read(tmp_path)) if message.hidden is None]
    assert found == [
        (Role.USER, "Make it green"),
        (Role.ASSISTANT, "I will."),
        (Role.ASSISTANT, "> a quotation of the model\ngoes on"),
        (Role.USER, "thanks"),
    ]


def test_only_what_is_new_is_added(tmp_path: Path) -> None:
    """A history that has grown adds what is new; an answer that was still being written is replaced."""
    path = write(tmp_path / "home" / "shop", START + "\n#### Hello  \n\nHi, I\n")
    with Memory.open(tmp_path / "memory", user_home=tmp_path / "home") as memory:
        first = memory.import_transcripts()
        path.write_text(START + "\n#### Hello  \n\nHi, I am Aider.\n\n> Tokens: 9 sent.  \n" + START + "\n#### Bye  \n")
        second = memory.import_transcripts()
        third = memory.import_transcripts()

    assert (first.messages, second.messages, second.rewound, third.messages) == (3, 4, 1, 0)


def test_looked_for_near_the_home_folder_only(tmp_path: Path) -> None:
    """Repositories are found a few levels below the home folder; hidden folders and what lies in repositories not."""
    near = [write(tmp_path / way, START + "\n#### Hello  \n") for way in (".", "shop", "work/team/shop")]
    write(tmp_path / "work/team/shop/.git", "")
    write(tmp_path / "work/team/shop/inner", START)
    write(tmp_path / "a/b/c/d/e", START)
    write(tmp_path / ".cache/shop", START)
    write(tmp_path / "node_modules/shop", START)

    assert [source.path for source in Aider().find(tmp_path, {})] == near
    assert [*Aider().find_at(tmp_path / ".cache/shop" / NAME, tmp_path, {})] == []
    assert [*Aider().find_at(Path("\0"), tmp_path, {})] == []


def test_configured_file(tmp_path: Path) -> None:
    """A history that is kept elsewhere is found by the variable that tells Aider so."""
    (tmp_path / ".logs").mkdir()
    path = tmp_path / ".logs" / "chat.md"
    path.write_text(FIVE_PROMPTS)
    environ = {"AIDER_CHAT_HISTORY_FILE": "~/.logs/chat.md"}

    assert [source.path for source in Aider().find(tmp_path, environ)] == [path]
    assert [source.path for source in Aider().find_at(path, tmp_path, environ)] == [path]


def test_another_file_of_that_name(tmp_path: Path) -> None:
    """A file in which no chat begins is none of Aider's, whatever its name."""
    write(tmp_path, "# Notes\n\n#### Hello  \n")

    assert read(tmp_path) == [Skipped(line=1, reason="no chat of Aider")]
