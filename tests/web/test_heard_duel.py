"""A whole duel by ear: one phone speaks, the other is read by a screen reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.test_browser import go_on, pick, plan, start
from tests.web.visit import IN_A_BROWSER, PHONE, run, visit

pytestmark = IN_A_BROWSER

EARS = """
  globalThis.heard = [];
  Object.defineProperty(globalThis, "speechSynthesis", {
    value: { speak: (one) => heard.push(one.text), cancel: () => {} },
  });
  addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
    const regions = new Set(changes.map(({ target }) =>
      (target.closest ? target : target.parentElement)?.closest("[aria-live], [role=alert]")));
    for (const one of regions)
      if (one && one.getAttribute("aria-live") !== "off") heard.push(one.textContent);
  }).observe(document.body, { childList: true, characterData: true, subtree: true }));
"""


VOICE = """
You hold Zan-Tetsu Strike
Blue, round 1
Lay your 1st card
You lay Charge
Lay your 2nd card
You lay High Strike
Seal your plan?
Blue has chosen
Red lays two cards
Red lays a card
Red lays a card
1st: Blue Charge, Red Retreat. No blows
Blue: 1 to 3
Your turn.
Seen it? Go on
2nd: Blue High Strike, Red Low Strike. Blue wounds Red
Blue, round 2
Lay your 1st card
High Strike rests this round: choose another card (K-R11)
You lay Charge
Lay your 2nd card
You lay Balanced Strike
Seal your plan?
Blue has chosen
Red lays two cards
Red lays a card
Red lays a card
1st: Blue Charge, Red Change Stance. No blows
Blue: 3 to 5
Red turns to Earth
Your turn.
Seen it? Go on
2nd: Blue Balanced Strike, Red High Strike. Blue wounds Red
You win!
Red is defeated
The game is over.
"""  # all that one needs to play, once: cards, moves, wounds, whose turn it is, what is asked
READER = """
You hold Kesa Strike. Red, round 1. Lay your 1st card.
Blue lays a card.
Blue lays a card.
Blue has chosen.
You lay Retreat. Lay your 2nd card.
You lay Low Strike. Seal your plan?
1st: Blue Charge, Red Retreat. No blows. Blue: 1 to 3. Seen it? Go on.
2nd: Blue High Strike, Red Low Strike. Blue wounds Red. Red, round 2. Lay your 1st card.
Blue lays a card.
Blue lays a card.
Blue has chosen.
You lay Change Stance. Lay your 2nd card.
You lay High Strike. Seal your plan?
1st: Blue Charge, Red Change Stance. No blows. Blue: 3 to 5. Red turns to Earth. Seen it? Go on.
2nd: Blue Balanced Strike, Red High Strike. Blue wounds Red. You lose. Red is defeated. The game is\
 over.
"""


async def listening(here: Any, panel: int, aloud: bool) -> Any:
    page = await here.seated(panel, "/?as=phone", **PHONE)
    await page.add_init_script(EARS)
    await page.reload()
    await page.locator(".hand .choice").first.wait_for()
    if aloud:
        await page.locator(".heard").click()
    return page


def test_a_duel_is_heard_whole_and_nothing_of_it_twice(tmp_path: Path) -> None:
    async def play() -> None:
        async with visit(tmp_path) as here:
            blue = await listening(here, 0, aloud=True)
            red = await listening(here, 1, aloud=False)
            await start(blue, red)
            await plan(blue, "Charge", "High Strike")
            await plan(red, "Retreat", "Low Strike")
            await go_on(red)
            await pick(blue, "High Strike")
            await plan(blue, "Charge", "Balanced Strike")
            await plan(red, "Change Stance", "High Strike")
            await go_on(blue)
            for page in (blue, red):
                await page.locator(".ending").wait_for()
            spoken, read = [await page.evaluate("heard") for page in (blue, red)]
            assert spoken[spoken.index("You hold Zan-Tetsu Strike") :] == VOICE.strip().split("\n")
            begun = next(n for n, one in enumerate(read) if one.startswith("You hold"))
            assert read[begun:] == READER.strip().split("\n")

    run(play)
